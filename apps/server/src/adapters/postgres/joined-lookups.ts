import type { Socket } from "node:net";
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
 * When nothing comes for so many milliseconds, the connection is ended, and with it what waits for an answer.
 */
export function joinLookups(pool: pg.Pool, silentMillis: number): (query: pg.QueryConfig) => Promise<pg.QueryResult> {
  const silentOnes = endSilentOnes(silentMillis);
  let waiting: Waiting[] = [];

  async function send(): Promise<void> {
    const batch = waiting;
    waiting = [];
    try {
      const client = await pool.connect();
      const answers = inOnePacket(client, () => batch.map(({ query }) => client.query(query)));
      silentOnes.watch(client);
      const settled = await Promise.allSettled(answers);
      silentOnes.answered(client);
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

/** Looked at so often in the time that a connection may be silent: a timer for each batch makes a lone look-up a third dearer. */
const LOOKS = 2;

/** Watches connections from when something is asked on them until all is answered. */
function endSilentOnes(silentMillis: number): { watch(client: pg.PoolClient): void; answered(client: pg.PoolClient): void } {
  const watched = new Map<pg.PoolClient, { received: number; silentLooks: number }>();
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    if (watched.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
    for (const [client, seen] of watched) {
      const stream = client.connection.stream as Socket;
      seen.silentLooks = stream.bytesRead === seen.received ? seen.silentLooks + 1 : 0;
      seen.received = stream.bytesRead;
      if (seen.silentLooks >= LOOKS) stream.destroy();
    }
  }

  return {
    watch(client) {
      watched.set(client, { received: -1, silentLooks: 0 });
      // A process that stood still meanwhile reads the answers first.
      timer ??= setInterval(() => setImmediate(look), silentMillis / LOOKS).unref();
    },
    answered: (client) => watched.delete(client),
  };
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
