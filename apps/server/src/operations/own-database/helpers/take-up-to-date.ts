import type { HomedWebsite } from "#domain/content-home";
import { newerSchemaWords } from "#domain/content-marker";
import { fail, Failure } from "#domain/failure";
import type { Cluster } from "#ports/own-databases";
import type { Services } from "../../kernel/services.ts";
import { markerOf } from "./connection.ts";

/**
 * Writes our marker into a database that is known to be ours. What a version before left there is brought up to date first, by one node
 * while others that want to write wait; readers do not. Nodes of the version before only read from then on.
 */
export async function takeUpToDate(
  services: Pick<Services, "platform" | "settings" | "ownDatabases">,
  website: HomedWebsite,
  cluster: Cluster,
): Promise<void> {
  const ours = await markerOf(services, website);
  const versionThere = async (): Promise<number | null> => {
    const found = await cluster.readMarker();
    const version = found === null || found === "unreadable" ? null : found.schemaVersion;
    if (version !== null && version > ours.schemaVersion) throw fail("INVALID_TRANSITION", newerSchemaWords);
    return version;
  };
  if ((await versionThere()) === ours.schemaVersion) return cluster.writeMarker(ours);
  try {
    await services.platform.withLease(website.id, "content schema", async () => {
      const from = await versionThere();
      if (from !== ours.schemaVersion) await cluster.bringUpToDate(from);
      await cluster.writeMarker(ours);
    });
  } catch (error) {
    throw error instanceof Failure && error.code === "UNAVAILABLE" ? updating() : error;
  }
}

const updating = (): Failure =>
  fail(
    "CONTENT_STORE_UNAVAILABLE",
    "The content database is being updated for this version of Stet. Nothing was lost; save again in a moment.",
    {
      reason: "updating",
      retryAfterSeconds: 5,
    },
  );
