import pg from "pg";
import { noLongerThan } from "#domain/no-longer-than";
import { inPool } from "#domain/pool";
import type { Signal, Signals } from "#ports/signals";
import type { Database } from "../database.ts";

/** A half-open connection says nothing, so nodes also ask. */
const POLL_MILLIS = 500;
/** A server that is there closes within milliseconds. One that vanished would be waited for until the system gives up on it. */
const CLOSE_MILLIS = 1_000;
const CHANNEL = "stet_signals";

type Listener = Parameters<Signals["subscribe"]>[0];

/**
 * Hears of changes in three ways: from this process at once, from other nodes by NOTIFY, and by asking for everything
 * since the last look, which also covers a lost connection. A listener that hears of a change twice looks twice: that is cheap.
 * Another server, or the same one after a crash, may lack what was committed last: then everything may be different, numbers included.
 */
export async function openPostgresSignals(database: Database, onTrouble: (message: string, error: unknown) => void): Promise<Signals> {
  const listeners = new Set<Listener>();
  const tell: Listener = (signal) => {
    for (const listener of listeners) listener(signal);
  };
  const first = await database.query<{ xmin: string; server: string }>({
    text: "SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS xmin, pg_postmaster_start_time()::text AS server",
  });
  let { xmin: since, server } = first.rows[0]!;
  let closed = false;
  let client: pg.Client | null = null;

  async function listen(config: pg.ClientConfig): Promise<void> {
    const fresh = new pg.Client(config);
    fresh.on("notification", ({ payload }) => {
      const [topic, id] = (payload ?? "").split(" ");
      if (topic && id) tell({ topic: topic as Signal["topic"], id });
    });
    // Ended or broken: it is opened again, and the changes that were missed meanwhile are in the table.
    const lost = () => {
      if (client === fresh) client = null;
    };
    fresh.on("error", lost);
    fresh.on("end", lost);
    try {
      await fresh.connect();
      await fresh.query(`LISTEN ${CHANNEL}`);
    } catch (error) {
      fresh.end().catch(() => {});
      throw error;
    }
    if (closed) await fresh.end();
    else client = fresh;
  }

  async function look(): Promise<void> {
    // The oldest transaction still in flight is where the next look begins: what commits late is still found.
    const { rows } = await database.query<{ topic: Signal["topic"] | null; id: string | null; xmin: string; server: string }>({
      text: `SELECT topic, id, pg_snapshot_xmin(pg_current_snapshot())::text AS xmin, pg_postmaster_start_time()::text AS server
        FROM (VALUES (1)) AS always LEFT JOIN signals ON xid >= $1::xid8`,
      values: [since],
      joins: true,
    });
    if (closed) return;
    since = rows[0]!.xmin;
    if (rows[0]!.server !== server) tell("everything");
    ({ server } = rows[0]!);
    for (const { topic, id } of rows) if (topic && id) tell({ topic, id });
  }

  // Neither waits for the other: a node that cannot listen still hears of everything by asking.
  const keepListening = attempts(async () => {
    // Behind a pooler there is nothing to listen on: looking finds everything within half a second.
    const config = database.listening;
    if (config && !client) await listen(config);
  }, "Changes of other nodes are heard by asking only, since no connection to listen on can be opened; tried again");
  // Readers depend on it, and writers may hold their connections for long.
  const keepLooking = attempts(() => inPool("reads", look), "Changes of other nodes cannot be heard; tried again");

  /** Does the work unless it is under way still. Trouble is told once, until it has passed. */
  function attempts(work: () => Promise<void>, trouble: string): () => Promise<void> {
    let underWay: Promise<void> | null = null;
    let failing = false;
    return () =>
      (underWay ??= work()
        .then(
          () => (failing = false),
          (error: unknown) => {
            if (!failing && !closed) onTrouble(trouble, error);
            failing = true;
          },
        )
        .then(() => {
          underWay = null;
        }));
  }

  const timer = setInterval(() => {
    void keepListening();
    void keepLooking();
  }, POLL_MILLIS);
  timer.unref();
  await keepListening();

  return {
    tellHere: async (signal) => tell(signal),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      closed = true;
      clearInterval(timer);
      if (!client) return;
      const { stream } = client.connection;
      await noLongerThan(CLOSE_MILLIS, client.end());
      stream.destroy();
    },
  };
}
