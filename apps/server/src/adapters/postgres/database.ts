import type pg from "pg";
import { currentWork } from "#domain/pool";
import { cancel, queryUntil } from "./cancellable.ts";
import { endLostConnections } from "./lost-connections.ts";
import { inOnePacket, joinLookups } from "./joined-lookups.ts";
import { listeningOf, LOOK_UP_MILLIS, openPools, openProbe, type PoolOptions, type PoolSizes, SILENT_MILLIS } from "./pools.ts";
import { statementNames } from "./statement-names.ts";

/** A statement as it stands in review: `sql` keeps text and values apart, so that a value can never become SQL. */
export interface Statement {
  readonly text: string;
  readonly values?: unknown[];
  /**
   * Planned once a connection, which is more than half of the cost of finding a row by its key. For statements that always read
   * the same and name their columns: a table may get one more while the plan is kept.
   */
  readonly keepPlan?: boolean;
  /**
   * A look-up by key, which waits for no lock: it is sent together with the others of the same turn of the event loop, and fails when nothing
   * comes for seconds.
   */
  readonly joins?: boolean;
}

/** One connection or the whole pool: code that runs statements does not care which. */
export interface Queryable {
  query<Row extends pg.QueryResultRow>(statement: Statement): Promise<pg.QueryResult<Row>>;
}

export interface Transacting extends Queryable {
  transaction<T>(work: (connection: Queryable) => Promise<T>): Promise<T>;
  /** Statements that do not depend on each other's answers as one transaction, in one round trip. All are written, or none. */
  inOneCommit(statements: readonly Statement[]): Promise<readonly pg.QueryResult[]>;
}

export interface Database extends Transacting {
  /** The pool `writes`, for libraries that speak to the driver. */
  readonly pool: pg.Pool;
  /** How many connections each pool has at most. */
  readonly sizes: PoolSizes;
  /** How a connection is opened that stays with one server, to listen on it. Null: a pooler is in between, and there is no way around it. */
  readonly listening: pg.ClientConfig | null;
  close(): Promise<void>;
}

const READ_ONLY_TRANSACTION = "25006";

export function openDatabase(options: PoolOptions): Database {
  const pools = openPools(options);
  const { silentMillis = SILENT_MILLIS, lookUpMillis = LOOK_UP_MILLIS } = options;
  const joined = new Map([...new Set(Object.values(pools))].map((pool) => [pool, joinLookups(pool, lookUpMillis)]));
  // A pooler gives sessions numbers of its own.
  const lost = options.pooled ? null : endLostConnections(() => openProbe(options), options.watchMillis);
  for (const pool of joined.keys()) lost?.watch(pool);
  const nameOf = statementNames();
  // Through a pooler sessions cannot be set, and transactions in the same packet that begins them.
  const begin = options.pooled ? `BEGIN; SET LOCAL idle_in_transaction_session_timeout = ${silentMillis}` : "BEGIN";
  const named = ({ text, values, keepPlan }: Statement): pg.QueryConfig => ({
    text,
    ...(values && { values }),
    // The server behind a pooler may not know the name, or know it from another client.
    ...(keepPlan && !options.pooled && { name: nameOf(text) }),
  });
  async function withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const { pool, signal } = currentWork();
    const client = await pools[pool].connect();
    // A server that does not answer would not answer to this either: the connection ends.
    const stop = (): void => {
      cancel(client);
      client.connection.stream.destroy();
    };
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop, { once: true });
    try {
      const result = await work(client);
      client.release();
      return result;
    } catch (error) {
      // A connection whose rollback fails is in an unknown state, and one to a server that became a replica leads nowhere: not used again.
      const broken = await client.query("ROLLBACK").then(
        () => isReadOnly(error),
        () => true,
      );
      client.release(broken);
      throw error;
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }
  return {
    pool: pools.writes,
    sizes: { reads: sizeOf(pools.reads), writes: sizeOf(pools.writes), jobs: sizeOf(pools.jobs) },
    get listening() {
      return listeningOf(options);
    },
    query: <Row extends pg.QueryResultRow>(statement: Statement) => {
      const { pool: name, signal } = currentWork();
      const pool = pools[name];
      if (statement.joins) return joined.get(pool)!(named(statement)) as Promise<pg.QueryResult<Row>>;
      return signal ? queryUntil<Row>(pool, named(statement), signal) : pool.query<Row>(named(statement));
    },
    transaction: (work) =>
      withClient(async (client) => {
        await client.query(begin);
        // Work may take its time elsewhere while the transaction holds a lock for it.
        const beats = setInterval(() => void client.query("SELECT 1").catch(ignore), silentMillis / 3);
        beats.unref();
        const result = await work({ query: (statement) => client.query(named(statement)) }).finally(() => clearInterval(beats));
        await client.query("COMMIT");
        return result;
      }),
    inOneCommit: (statements) =>
      withClient(async (client) => {
        const answers = inOnePacket(client, () => [
          client.query("BEGIN"),
          ...statements.map((statement) => client.query(named(statement))),
          // After a statement that failed, the server takes this for a rollback.
          client.query("COMMIT"),
        ]);
        const settled = await Promise.allSettled(answers);
        const failed = settled.find((answer) => answer.status === "rejected");
        if (failed) throw failed.reason;
        return (await Promise.all(answers)).slice(1, -1);
      }),
    async close() {
      lost?.close();
      await Promise.all([...joined.keys()].map((pool) => pool.end()));
    },
  };
}

const ignore = (): void => {};

const isReadOnly = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === READ_ONLY_TRANSACTION;

const sizeOf = (pool: pg.Pool): number => pool.options.max ?? 10;
