import pg from "pg";
import { inOnePacket, joinLookups } from "./joined-lookups.ts";
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
  /** A look-up by key, which waits for no lock: it is sent together with the others of the same turn of the event loop. */
  readonly joins?: boolean;
}

/** One connection or the whole pool: code that runs statements does not care which. */
export interface Queryable {
  query<Row extends pg.QueryResultRow>(statement: Statement): Promise<pg.QueryResult<Row>>;
}

export interface Database extends Queryable {
  readonly pool: pg.Pool;
  transaction<T>(work: (connection: Queryable) => Promise<T>): Promise<T>;
  /** Statements that do not depend on each other's answers as one transaction, in one round trip. All are written, or none. */
  inOneCommit(statements: readonly Statement[]): Promise<readonly pg.QueryResult[]>;
  close(): Promise<void>;
}

const TIMESTAMPTZ = 1184;
const BIGINT = 20;
const TEXT_ARRAY = 1009;
const parseTextArray: (value: string) => unknown = pg.types.getTypeParser(TEXT_ARRAY as number);
const SPACE = 32;
const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: "text" | "binary"): (value: string) => unknown {
    // Times as ISO text with milliseconds, as everywhere in the domain. The connection's time zone is UTC.
    if (oid === TIMESTAMPTZ) return isoText;
    // Counters and versions; all of ours stay far below 2^53.
    if (oid === BIGINT) return Number;
    // Most lists of a row are empty, and the driver's parser begins with a lot of ceremony.
    if (oid === TEXT_ARRAY) return (value) => (value === "{}" ? [] : parseTextArray(value));
    return pg.types.getTypeParser(oid, format) as (value: string) => unknown;
  },
};

/** From `2026-11-15 06:18:12.5+00`, by letters: a page of posts has a hundred times, and Date takes ten times as long. */
export function isoText(value: string): string {
  // Microseconds, years beyond 9999 and before Christ are rare enough for the long way.
  if (value.length > 26 || value.charCodeAt(10) !== SPACE || !value.endsWith("+00")) return new Date(value).toISOString();
  return `${value.slice(0, 10)}T${value.slice(11, 19)}.${value.slice(20, -3).padEnd(3, "0")}Z`;
}

export function openDatabase(options: {
  url?: string;
  host?: string;
  port?: number;
  user?: string;
  database?: string;
  connections?: number;
}): Database {
  const pool = new pg.Pool({
    ...(options.url
      ? { connectionString: options.url }
      : { host: options.host, port: options.port, user: options.user, database: options.database }),
    max: options.connections ?? 10,
    types,
    // Compiling pays for questions that take seconds; ours would take longer for it than without. And reading here and there
    // costs little more than reading on, on today's disks and in memory: else, where statistics are missing, a page of a list
    // is found by reading and sorting all of it.
    options: "-c timezone=UTC -c jit=off -c random_page_cost=1.1",
    application_name: "stet",
    connectionTimeoutMillis: 10_000,
    // A server that vanished without a word is noticed within seconds, not when the system gives up on it.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // A statement does not wait for the answer to the one before it on the same connection.
    pipeline: true,
  });
  // Without a listener Node ends the process. The pool listens to idle connections only, and gives its listener up before whoever
  // asked for the connection can add one: each gets one for life. A statement on a broken connection fails, which is how it is noticed.
  pool.on("error", ignore);
  pool.on("connect", (client) => client.on("error", ignore));
  const nameOf = statementNames();
  const named = ({ text, values, keepPlan }: Statement): pg.QueryConfig => ({
    text,
    ...(values && { values }),
    ...(keepPlan && { name: nameOf(text) }),
  });
  const joined = joinLookups(pool);
  async function withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    try {
      const result = await work(client);
      client.release();
      return result;
    } catch (error) {
      // A connection whose rollback fails is in an unknown state: it is thrown away, not reused.
      const broken = await client.query("ROLLBACK").then(
        () => false,
        () => true,
      );
      client.release(broken);
      throw error;
    }
  }
  return {
    pool,
    query: <Row extends pg.QueryResultRow>(statement: Statement) =>
      statement.joins ? (joined(named(statement)) as Promise<pg.QueryResult<Row>>) : pool.query<Row>(named(statement)),
    transaction: (work) =>
      withClient(async (client) => {
        await client.query("BEGIN");
        const result = await work({ query: (statement) => client.query(named(statement)) });
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
    close: () => pool.end(),
  };
}

const ignore = (): void => {};
