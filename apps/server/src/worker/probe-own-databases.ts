import { hash } from "node:crypto";
import { judgeMarker } from "#domain/content-marker";
import { partOfSpan, spanOf } from "#domain/database-health";
import { noLongerThan } from "#domain/no-longer-than";
import type { WebsiteId } from "#domain/ids";
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
    const due = websites.filter(({ id }) => !probed.has(id) && (websites.length <= AT_ONCE || turnOf(id) <= partOfSpan(services.clock())));
    await eachOf(due, AT_ONCE, (website) => noLongerThan(PATIENCE_MILLIS, probe(services, website), stopping), stopping);
  });
  return 0;
}

/** When in a span it is asked, early enough to be asked again in it. Hundreds that are asked in one moment would all be opened in it. */
const turnOf = (websiteId: WebsiteId): number => (Number.parseInt(hash("sha256", websiteId, "hex").slice(0, 8), 16) / 2 ** 32) * 0.8;

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
