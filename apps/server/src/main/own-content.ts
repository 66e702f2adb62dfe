import { isContentMoved, isContentPaused } from "#domain/content-home";
import { judgeMarker } from "#domain/content-marker";
import { fail, Failure } from "#domain/failure";
import type { WebsiteId } from "#domain/ids";
import { connectionOf, markerOf } from "#operations/own-database/helpers/connection";
import { takeUpToDate } from "#operations/own-database/helpers/take-up-to-date";
import type { Services } from "#operations/kernel/services";
import type { WithContent } from "#ports/content-stores";
import type { Cluster } from "#ports/own-databases";
import { ticketed } from "./ticketed-content.ts";

/** How long it is believed that a database is still ours, in milliseconds. */
const MARKER_MILLIS = 30_000;
const MOST_REMEMBERED = 1_000;

type Needs = Pick<Services, "platform" | "seals" | "settings" | "ownDatabases">;

/** Lends customers' databases. Readers get what lies there; writes are announced, and refused where the marker is not ours. */
export function ownContent(services: Needs): WithContent {
  const judged = new Map<WebsiteId, { readonly of: string; readonly at: number; readonly refusal: string | null }>();

  async function requireOurs(cluster: Cluster, website: Parameters<WithContent>[0], connection: string): Promise<void> {
    const of = `${website.home.epoch} ${connection}`;
    let known = judged.get(website.id);
    if (known?.of !== of || performance.now() - known.at > MARKER_MILLIS || known.refusal !== null) {
      const ours = await markerOf(services, website);
      const found = await cluster.readMarker();
      const judgement = judgeMarker(found, ours, true);
      // The node that moved the content died before it could say so there, or it was written by a version before.
      const isBehind = found !== null && found !== "unreadable" && found.epoch < ours.epoch;
      if (judgement.kind === "older schema" || (judgement.kind === "ours" && isBehind)) await takeUpToDate(services, website, cluster);
      known = { of, at: performance.now(), refusal: judgement.kind === "read only" ? judgement.reason : null };
      judged.delete(website.id);
      judged.set(website.id, known);
      if (judged.size > MOST_REMEMBERED) judged.delete(judged.keys().next().value!);
    }
    if (known.refusal !== null) throw fail("CONTENT_STORE_UNAVAILABLE", known.refusal, { reason: "read only" });
  }

  return async (website, work) => {
    const record = await services.platform.ownDatabases.get(website.id);
    const connection = record && connectionOf(services.seals, record);
    if (!connection)
      throw fail(
        "CONTENT_STORE_UNAVAILABLE",
        record
          ? "The server cannot read the password of this website's content database any more. Enter its address again."
          : "The database that holds the content of this website cannot be reached. Try again in a moment.",
      );
    const { homes } = services.platform;
    const lent = await services.ownDatabases.withCluster(website.id, connection, async (cluster) => {
      try {
        const content = ticketed(cluster.content, { homes, website, requireOurs: () => requireOurs(cluster, website, record.connection) });
        return { result: await work(content) };
      } catch (error) {
        // What we refuse ourselves says nothing about the database, which must not count it as a failure.
        if (isOurRefusal(error)) return { refusal: error };
        throw error;
      }
    });
    if ("refusal" in lent) throw lent.refusal;
    return lent.result;
  };
}

const isOurRefusal = (error: unknown): boolean =>
  isContentPaused(error) ||
  isContentMoved(error) ||
  (error instanceof Failure && (error.facts.reason === "read only" || error.facts.reason === "updating"));
