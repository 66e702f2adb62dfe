import type { Socket } from "node:net";
import type pg from "pg";

/** How often connections that wait for an answer are looked at, in milliseconds, and how long the server may take to say what it knows of them. */
const EVERY_MILLIS = 5_000;
/** So often in a row a server must say that a session does no work: its answer may have been on the way. */
const DENIALS = 2;

/** What changes on a connection that is alive while somebody waits for an answer on it. */
interface Progress {
  readonly waitingFor: unknown;
  readonly received: number;
  /** What is not handed to the system yet: a large statement takes its time on a slow line. */
  readonly unsent: number;
}

interface Watched extends Progress {
  denials: number;
}

/** What the driver's types leave out. */
interface Session {
  readonly processID: number;
  _getActiveQuery(): unknown;
}
const sessionOf = (client: pg.ClientBase): Session => client as unknown as Session;

export interface LostConnections {
  watch(pool: pg.Pool): void;
  close(): void;
}

/**
 * Ends connections that lead nowhere. A statement may take hours, and a half-open connection looks exactly like one that works: so the server is
 * asked, over a fresh connection, whether the session is at work. Only one that answers and says no is believed, so nothing is ended while the
 * server is away. What waited then fails as with any connection that is lost.
 */
export function endLostConnections(openProbe: () => pg.Client, everyMillis = EVERY_MILLIS): LostConnections {
  const connections = new Map<pg.PoolClient, Watched>();
  let asking = false;

  function silentOnes(): pg.PoolClient[] {
    const silent: pg.PoolClient[] = [];
    for (const [client, before] of connections) {
      const now = progressOf(client);
      if (hasMoved(before, now)) connections.set(client, { ...now, denials: 0 });
      else if (now.waitingFor !== null) silent.push(client);
    }
    return silent;
  }

  async function look(): Promise<void> {
    const silent = silentOnes();
    const working = silent.length > 0 ? await sessionsAtWork(openProbe(), silent.map(pidOf)) : null;
    if (!working) return;
    for (const client of silent) {
      const watched = connections.get(client);
      if (!watched || hasMoved(watched, progressOf(client))) continue;
      watched.denials = working.has(pidOf(client)) ? 0 : watched.denials + 1;
      if (watched.denials >= DENIALS) client.connection.stream.destroy();
    }
  }

  const timer = setInterval(() => {
    if (asking) return;
    asking = true;
    void look()
      // A server that cannot be asked is away: it is asked again.
      .catch(() => {})
      .finally(() => (asking = false));
  }, everyMillis);
  timer.unref();

  return {
    watch(pool) {
      pool.on("connect", (client) => {
        connections.set(client, { ...progressOf(client), denials: 0 });
        client.once("end", () => connections.delete(client));
      });
    },
    close: () => clearInterval(timer),
  };
}

const pidOf = (client: pg.ClientBase): number => sessionOf(client).processID;

function progressOf(client: pg.PoolClient): Progress {
  const { bytesRead: received, writableLength: unsent } = client.connection.stream as Socket;
  return { waitingFor: sessionOf(client)._getActiveQuery() ?? null, received, unsent };
}

const hasMoved = (before: Progress, now: Progress): boolean =>
  before.waitingFor !== now.waitingFor || before.received !== now.received || before.unsent !== now.unsent;

/** Those of the sessions that the server is working for. Null: something is in between that gives sessions numbers of its own. */
async function sessionsAtWork(probe: pg.Client, pids: readonly number[]): Promise<ReadonlySet<number> | null> {
  probe.on("error", () => {});
  try {
    await probe.connect();
    const { rows } = await probe.query<{ own: number; working: number[] }>({
      // A server that does not tell what sessions do counts all of them as at work.
      text: `SELECT pg_backend_pid() AS own, ARRAY(SELECT pid FROM pg_stat_activity
               WHERE pid = ANY ($1::integer[]) AND (state IS NULL OR state NOT LIKE 'idle%')) AS working`,
      values: [pids],
    });
    const { own, working } = rows[0]!;
    return own === pidOf(probe) ? new Set(working) : null;
  } finally {
    probe.end().catch(() => {});
  }
}
