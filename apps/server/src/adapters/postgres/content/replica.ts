import type { HomedWebsite } from "#domain/content-home";
import { Failure } from "#domain/failure";
import { currentWork, inPool } from "#domain/pool";
import type { ContentStore } from "#ports/content-store";
import type { Database, Queryable, Transacting } from "../database.ts";
import { isConnectionFailure } from "./connection.ts";
import { openPostgresContent } from "./open.ts";

/** A replica that takes longer is slower than asking the primary. */
const PATIENCE_MILLIS = 3_000;
/** How often a replica that is away is looked for. Nobody waits for that. */
const RETRY_MILLIS = 1_000;

/** A copy of the content that may be behind. */
export interface Replica {
  /**
   * Does the work on the replica, all of it on one connection and so on one server, if that server has come at least as far as the content
   * version. Null: it has not, or it failed; the primary is asked then.
   */
  read<T>(
    website: HomedWebsite,
    contentVersion: number,
    work: (content: ContentStore) => Promise<T>,
  ): Promise<{ readonly value: T } | null>;
  close(): Promise<void>;
}

export function openReplica(database: Database, onTrouble: (message: string, error: unknown) => void): Replica {
  let lookingFor: NodeJS.Timeout | null = null;

  function away(error: unknown): void {
    if (lookingFor) return;
    onTrouble("The replica at DATABASE_READ_URL does not answer; the primary is read until it does", error);
    // Not on behalf of the reader who found out: when that one has gone, nothing would be asked any more.
    const isThere = () => inPool("reads", () => database.query({ text: "SELECT 1" }));
    lookingFor = setInterval(
      () =>
        void isThere().then(
          () => {
            clearInterval(lookingFor ?? undefined);
            lookingFor = null;
          },
          () => {},
        ),
      RETRY_MILLIS,
    );
    lookingFor.unref();
  }

  return {
    async read(website, contentVersion, work) {
      if (lookingFor) return null;
      const { signal } = currentWork();
      const limit = new AbortController();
      const timer = setTimeout(() => limit.abort(), PATIENCE_MILLIS);
      try {
        const reading = () =>
          database.transaction(async (connection) => {
            await requireVersion(connection, website, contentVersion);
            return work(openPostgresContent(readingOn(connection)));
          });
        const value = await inPool("reads", reading, signal ? AbortSignal.any([signal, limit.signal]) : limit.signal);
        return { value };
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        const isUnavailable = error instanceof Failure && error.code === "CONTENT_STORE_UNAVAILABLE";
        // The route's own refusals, such as a post that is not there, are true.
        if (error instanceof Failure && !isUnavailable && error !== BEHIND) throw error;
        if (isUnavailable || limit.signal.aborted || isConnectionFailure(error)) away(error);
        return null;
      } finally {
        clearTimeout(timer);
      }
    },
    async close() {
      clearInterval(lookingFor ?? undefined);
      await database.close();
    },
  };
}

const BEHIND = new Failure("VERSION_CONFLICT", "The replica is behind.");

/** What is read after this on the same server is at least as new. */
async function requireVersion(connection: Queryable, { id, home }: HomedWebsite, contentVersion: number): Promise<void> {
  const { rows } = await connection.query<{ content_version: number; store_epoch: number }>({
    text: "SELECT content_version, store_epoch FROM website_content WHERE website_id = $1",
    values: [id],
    keepPlan: true,
  });
  const { content_version: version, store_epoch: epoch } = rows[0] ?? { content_version: 0, store_epoch: 0 };
  if (version < contentVersion || epoch !== home.epoch) throw BEHIND;
}

const readingOn = (connection: Queryable): Transacting => ({
  query: (statement) => connection.query(statement),
  transaction: (work) => work(connection),
  inOneCommit: async () => {
    throw new Error("A replica cannot be written to.");
  },
});
