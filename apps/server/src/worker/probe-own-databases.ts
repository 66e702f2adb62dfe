import { judgeMarker } from "#domain/content-marker";
import { spanOf } from "#domain/database-health";
import { noLongerThan } from "#domain/no-longer-than";
import { SECOND } from "#domain/time";
import type { Website } from "#domain/website";
import { eachOf } from "#operations/kernel/each-of";
import type { Services } from "#operations/kernel/services";
import { connectionOf, markerOf } from "#operations/own-database/helpers/connection";
import { takeUpToDate } from "#operations/own-database/helpers/take-up-to-date";

const AT_ONCE = 16;
const PATIENCE_MILLIS = 20 * SECOND;

/**
 * Asks each database in use once in five minutes whether it answers and how fast, so that its owner learns of an outage that no reader met.
 * One that a version before wrote is brought up to date, so that the first writer does not have to wait for it.
 */
export async function probeOwnDatabases(services: Services, stopping?: AbortSignal): Promise<number> {
  const { platform } = services;
  await platform.onOneNode("probe customers' databases", async () => {
    const [websites, probed] = await Promise.all([platform.homes.listOwn(), platform.ownDatabases.listProbed(spanOf(services.clock()))]);
    const due = websites.filter(({ id }) => !probed.has(id));
    await eachOf(due, AT_ONCE, (website) => noLongerThan(PATIENCE_MILLIS, probe(services, website), stopping), stopping);
  });
  return 0;
}

async function probe(services: Services, website: Website): Promise<void> {
  const { platform, seals, ownDatabases } = services;
  const database = await platform.ownDatabases.get(website.id);
  const connection = database && connectionOf(seals, database);
  if (!connection) return;
  try {
    await ownDatabases.withCluster(website.id, connection, async (cluster) => {
      // The first answer comes with opening a connection; the second one is timed.
      await cluster.readMarker();
      const judged = judgeMarker(await cluster.readMarker(), await markerOf(services, website), true);
      if (judged.kind === "older schema") await takeUpToDate(services, website, cluster);
    });
  } catch (error) {
    services.onTrouble(`The content database of ${website.id} did not answer; it is asked again later`, error);
  }
}
