import pg from "pg";
import type { Signal, Signals } from "#ports/signals";
import type { Database } from "../database.ts";

/** A half-open connection says nothing, so nodes also ask. */
const POLL_MILLIS = 500;
const CHANNEL = "stet_signals";

type Listener = Parameters<Signals["subscribe"]>[0];

/**
 * Hears of changes in three ways: from this process at once, from other nodes by NOTIFY, and by asking for everything
 * since the last look, which also covers a lost connection. A listener that hears of a change twice looks twice: that is cheap.
 */
export async function openPostgresSignals(database: Database, onTrouble: (message: string, error: unknown) => void): Promise<Signals> {
  const listeners = new Set<Listener>();
  const tell: Listener = (signal) => {
    for (const listener of listeners) listener(signal);
  };
  let since = (await database.query<{ xmin: string }>({ text: "SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS xmin" })).rows[0]!
    .xmin;
  let closed = false;
  let client: pg.Client | null = null;

  async function listen(): Promise<void> {
    const { Client: _, ...options } = database.pool.options as pg.PoolConfig & { Client?: unknown };
    const fresh = new pg.Client({ ...options, keepAlive: true });
    fresh.on("notification", ({ payload }) => {
      const [topic, id] = (payload ?? "").split(" ");
      if (topic && id) tell({ topic: topic as Signal["topic"], id });
    });
    // Ended or broken: the next look connects again, and the changes that were missed meanwhile are in the table.
    const lost = () => {
      if (client === fresh) client = null;
    };
    fresh.on("error", lost);
    fresh.on("end", lost);
    await fresh.connect();
    client = fresh;
    await fresh.query(`LISTEN ${CHANNEL}`);
  }

  async function look(): Promise<void> {
    // The oldest transaction still in flight is where the next look begins: what commits late is still found.
    const { rows } = await database.query<{ topic: Signal["topic"] | null; id: string | null; xmin: string }>({
      text: `SELECT topic, id, pg_snapshot_xmin(pg_current_snapshot())::text AS xmin
        FROM (VALUES (1)) AS always LEFT JOIN signals ON xid >= $1::xid8`,
      values: [since],
    });
    since = rows[0]!.xmin;
    for (const { topic, id } of rows) if (topic && id) tell({ topic, id });
  }

  let looking: Promise<void> = Promise.resolve();
  let failing = false;
  const timer = setInterval(() => {
    looking = looking.then(async () => {
      if (closed) return;
      try {
        if (!client) await listen();
        await look();
        failing = false;
      } catch (error) {
        if (!failing && !closed) onTrouble("Changes of other nodes cannot be heard; tried again", error);
        failing = true;
      }
    });
  }, POLL_MILLIS);
  timer.unref();
  await listen();

  return {
    tellHere: tell,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      closed = true;
      clearInterval(timer);
      await looking;
      await client?.end();
    },
  };
}
