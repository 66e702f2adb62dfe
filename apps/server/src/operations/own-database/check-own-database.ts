import { isConfirmable, judgeMarker, type MarkerJudgement } from "#domain/content-marker";
import { Failure } from "#domain/failure";
import { websiteOperation } from "../kernel/operation.ts";
import { connectionOf, markerOf } from "./helpers/connection.ts";
import { requireDatabase } from "./helpers/require.ts";

export interface DatabaseCheck {
  /** From a question to its answer; null: there was none. */
  readonly latencyMillis: number | null;
  /** Why it did not answer, in words. */
  readonly error: string | null;
  /** Why nothing is written to it, in words; `confirmable`: a person can vouch for it where it is in use, and fetch its content otherwise. */
  readonly readOnly: { readonly reason: string; readonly confirmable: boolean } | null;
}

/** Apart from `get_own_database`, which answers right away also while the database is away. */
export const checkOwnDatabase = websiteOperation({
  name: "check_own_database",
  summary: "Ask the database of a website whether it answers, how fast, and whether it is still the website's.",
  permission: "store.manage",
  input: {},
  async run(context): Promise<DatabaseCheck> {
    const { services, website } = context;
    const connection = connectionOf(services.seals, await requireDatabase(services.platform, context));
    if (!connection) return failed("The server can no longer read its address. Enter it again.");
    const ours = await markerOf(services, website);
    const isInUse = website.home.kind === "own";
    try {
      return await services.ownDatabases.withCluster(website.id, connection, async (cluster) => {
        // The first answer comes with opening a connection, which is not how long a reader waits.
        await cluster.readMarker();
        const asked = performance.now();
        const found = await cluster.readMarker();
        const latencyMillis = Math.max(1, Math.round(performance.now() - asked));
        return { latencyMillis, error: null, readOnly: readOnlyOf(judgeMarker(found, ours, isInUse), isInUse) };
      });
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== "CONTENT_STORE_UNAVAILABLE") throw error;
      return failed(services.ownDatabases.health(website.id).lastError ?? error.message);
    }
  },
  activity: "none",
});

const failed = (error: string): DatabaseCheck => ({ latencyMillis: null, error, readOnly: null });

const readOnlyOf = (judged: MarkerJudgement, isInUse: boolean): DatabaseCheck["readOnly"] =>
  judged.kind === "read only" ? { reason: judged.reason, confirmable: isConfirmable(judged, isInUse) } : null;
