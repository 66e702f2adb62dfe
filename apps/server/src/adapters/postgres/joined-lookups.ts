import type pg from "pg";
import { afterTurnEnd } from "./turn-end.ts";

interface Waiting {
  readonly query: pg.QueryConfig;
  resolve(result: pg.QueryResult): void;
  reject(error: unknown): void;
}

/**
 * Sends the look-ups that come in one turn of the event loop over one connection and in one packet. Waking the database costs more than
 * finding a row by its key, so a request that needs four rows wakes it once. Each look-up is answered, and fails, by itself.
 */
export function joinLookups(pool: pg.Pool): (query: pg.QueryConfig) => Promise<pg.QueryResult> {
  let waiting: Waiting[] = [];

  async function send(): Promise<void> {
    const batch = waiting;
    waiting = [];
    try {
      const client = await pool.connect();
      const answers = inOnePacket(client, () => batch.map(({ query }) => client.query(query)));
      const settled = await Promise.allSettled(answers);
      // As the pool itself does: a connection on which something failed is not used again.
      client.release(settled.some(({ status }) => status === "rejected"));
      settled.forEach((answer, nth) => {
        if (answer.status === "fulfilled") batch[nth]!.resolve(answer.value);
        else batch[nth]!.reject(answer.reason);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  return (query) =>
    new Promise((resolve, reject) => {
      // The other look-ups of this turn of the loop are still to come.
      if (waiting.push({ query, resolve, reject }) === 1) afterTurnEnd(() => void send());
    });
}

/** What is asked of the connection meanwhile leaves together, without waiting for an answer in between. */
export function inOnePacket<T>(client: pg.PoolClient, ask: () => T): T {
  const { stream } = client.connection;
  stream.cork();
  try {
    return ask();
  } finally {
    stream.uncork();
  }
}
