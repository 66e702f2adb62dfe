import pg from "pg";
import type { PoolName } from "#domain/pool";
import { types } from "./column-types.ts";
import { clientOf, type Hosts } from "./hosts.ts";

/** How many connections each pool has at most. They are opened when they are needed, and closed when they idle. */
export type PoolSizes = Readonly<Record<Exclude<PoolName, "limits">, number>>;

export interface PoolOptions {
  readonly url?: string;
  readonly host?: string;
  readonly port?: number;
  readonly user?: string;
  readonly database?: string;
  /** One number: one pool of that size for all work, as commands and tests do. */
  readonly connections?: number | PoolSizes;
  /** A pooler in transaction mode is in between: what is set in a session by one statement need not be there for the next. */
  readonly pooled?: boolean;
  /** Goes before an address: several servers, of which the one is connected to that takes writes. */
  readonly hosts?: Hosts;
  /** How long opening a connection may take, in milliseconds. */
  readonly connectMillis?: number;
  /** The address of the server behind the pooler. */
  readonly directUrl?: string | null;
  /** How long a transaction may say nothing, in milliseconds. */
  readonly silentMillis?: number;
  /** How long nothing may come of the answers to look-ups, in milliseconds. */
  readonly lookUpMillis?: number;
  /** How often connections that wait for an answer are looked at, in milliseconds. */
  readonly watchMillis?: number;
}

export type Pools = Readonly<Record<PoolName, pg.Pool>>;

/** No list and no search may take longer: the read path has given up before (`LOAD_TIMEOUT_MILLIS`), and a process that died cancels nothing. */
const READ_TIMEOUT_MILLIS = 30_000;

/**
 * How long nothing may come of the answers to look-ups, in milliseconds. They are found by keys and wait for no lock: beyond, the server counts as
 * away, and the connection is ended. The system would wait a quarter of an hour for a machine that vanished without a word.
 */
export const LOOK_UP_MILLIS = 5_000;

/**
 * A transaction that says nothing for so long is ended by the server, in milliseconds, and its locks are free: its process was stopped, or its
 * machine is gone. One that is alive says something meanwhile (`database.ts`), however long its work takes.
 */
export const SILENT_MILLIS = 30_000;

/**
 * What every session is set to. Compiling pays for questions that take seconds; ours would take longer for it than without. And
 * reading here and there costs little more than reading on, on today's disks and in memory: else, where statistics are missing, a page
 * of a list is found by reading and sorting all of it.
 */
export const SESSION_SETTINGS = { timezone: "UTC", jit: "off", random_page_cost: "1.1" } as const;

const sessionOf = ({ silentMillis = SILENT_MILLIS }: PoolOptions) => ({
  options: Object.entries({ ...SESSION_SETTINGS, idle_in_transaction_session_timeout: silentMillis })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(" "),
});

const CONNECTION = {
  types,
  application_name: "stet",
  connectionTimeoutMillis: 10_000,
  // A server that vanished without a word is noticed within seconds, not when the system gives up on it.
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} satisfies pg.ClientConfig;

/** The connections to the database, in pools by the kind of work. This is the one place where they are set up. */
export function openPools({ connections = 10, ...server }: PoolOptions): Pools {
  if (typeof connections === "number") {
    const pool = openPool(server, connections);
    return { reads: pool, writes: pool, jobs: pool, limits: pool };
  }
  return {
    reads: openPool(server, connections.reads, { statement_timeout: READ_TIMEOUT_MILLIS }),
    writes: openPool(server, connections.writes),
    jobs: openPool(server, connections.jobs),
    // One statement at a time, and a beat a second.
    limits: openPool(server, 1),
  };
}

function openPool(server: Omit<PoolOptions, "connections">, max: number, more: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({
    ...addressOf(server),
    ...CONNECTION,
    ...(server.connectMillis && { connectionTimeoutMillis: server.connectMillis }),
    max,
    // A statement does not wait for the answer to the one before it on the same connection.
    pipeline: true,
    ...(server.hosts && { Client: clientOf(server.hosts) }),
    // Poolers refuse settings at the start of a connection.
    ...(server.pooled ? {} : { ...sessionOf(server), ...more }),
  });
  // Without a listener Node ends the process. The pool listens to idle connections only, and gives its listener up before whoever
  // asked for the connection can add one: each gets one for life. A statement on a broken connection fails, which is how it is noticed.
  pool.on("error", ignore);
  pool.on("connect", (client) => {
    client.on("error", ignore);
    // Times are read as UTC, and a setting that is told to clients is one that poolers pass on to each server.
    if (server.pooled) client.query(`SET timezone TO '${SESSION_SETTINGS.timezone}'`).catch(ignore);
  });
  return pool;
}

/** A connection of its own to ask the server about others. */
export function openProbe({ hosts, ...server }: PoolOptions): pg.Client {
  const config = { ...addressOf(server), ...CONNECTION, connectionTimeoutMillis: LOOK_UP_MILLIS, query_timeout: LOOK_UP_MILLIS };
  return hosts ? new (clientOf(hosts))(config) : new pg.Client(config);
}

/** How a connection is opened that stays with one server. Null: there is only the pooler. */
export function listeningOf({ pooled, directUrl, ...server }: PoolOptions): pg.ClientConfig | null {
  if (pooled && !directUrl) return null;
  return { ...addressOf(pooled ? { url: directUrl! } : server), ...CONNECTION, ...sessionOf(server), query_timeout: LOOK_UP_MILLIS };
}

function addressOf({ hosts, url, host, port, user, database }: PoolOptions): pg.ClientConfig {
  const address = hosts?.current ?? url;
  return address ? { connectionString: address } : { host, port, user, database };
}

const ignore = (): void => {};
