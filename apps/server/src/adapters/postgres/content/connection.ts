import { contentMoved, contentPaused, type HomedWebsite } from "#domain/content-home";
import { Failure } from "#domain/failure";
import type { Queryable, Statement, Transacting } from "../database.ts";
import { type Fragment, sql, statementOf } from "./sql.ts";

/** Runs fragments; a connection that fails becomes the refusal the port promises. */
export interface Runner {
  rows<Row extends object>(fragment: Fragment): Promise<Row[]>;
  /** The same with `keepPlan`. Not for lists with filters, whose best plan depends on the values. */
  prepared<Row extends object>(fragment: Fragment): Promise<Row[]>;
  /** The same for what is found by its key: it leaves together with the other look-ups of this turn. */
  lookUp<Row extends object>(fragment: Fragment): Promise<Row[]>;
}

export interface Connection extends Runner {
  /** Several statements as one. */
  transaction<T>(work: (runner: Runner) => Promise<T>): Promise<T>;
  /** Prepared statements that do not depend on each other's answers, as one commit and in one round trip: the rows of each. */
  inOneCommit<Row extends object>(fragments: readonly Fragment[]): Promise<Row[][]>;
}

export const connect = (database: Transacting): Connection => ({
  ...runnerOn(database),
  transaction: (work) => translated(() => database.transaction((connection) => work(runnerOn(connection)))),
  async inOneCommit<Row extends object>(fragments: readonly Fragment[]) {
    const statements = fragments.map((fragment) => ({ ...statementOf(fragment), keepPlan: true }));
    return (await translated(() => database.inOneCommit(statements))).map(({ rows }) => rows as Row[]);
  },
});

function runnerOn(queryable: Queryable): Runner {
  const run = async <Row extends object>(statement: Statement): Promise<Row[]> =>
    (await translated(() => queryable.query<Row & Record<string, unknown>>(statement))).rows;
  return {
    rows: (fragment) => run(statementOf(fragment)),
    prepared: (fragment) => run({ ...statementOf(fragment), keepPlan: true }),
    lookUp: (fragment) => run({ ...statementOf(fragment), keepPlan: true, joins: true }),
  };
}

async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const state = error instanceof Error && "code" in error ? error.code : null;
    if (state === MOVED) throw contentMoved();
    if (state === PAUSED) throw contentPaused();
    if (!isConnectionFailure(error)) throw error;
    // The driver's text may name hosts and accounts: it stays in the cause, for the log.
    const failure = new Failure(
      "CONTENT_STORE_UNAVAILABLE",
      "The content database is not responding. Nothing was lost; try again in a moment.",
    );
    failure.cause = error;
    throw failure;
  }
}

/** SQLSTATE of the fence (migration 0340). */
const MOVED = "ST001";
const PAUSED = "ST002";

/**
 * The same for whoever moves the content of this website back: the fence lets it through for as long as the content lies where `website`
 * says, and not a moment longer. Each write says so in its own transaction.
 */
export function connectAsMover(database: Transacting, { id, home }: HomedWebsite): Connection {
  const plain = connect(database);
  const asMover = sql`SELECT pass_fence(${id}, ${home.epoch})`;
  const alone = async <Row extends object>(fragment: Fragment): Promise<Row[]> => (await plain.inOneCommit<Row>([asMover, fragment]))[1]!;
  return {
    rows: alone,
    prepared: alone,
    lookUp: (fragment) => plain.lookUp(fragment),
    transaction: (work) =>
      plain.transaction(async (runner) => {
        await runner.rows(asMover);
        return work(runner);
      }),
    inOneCommit: async <Row extends object>(fragments: readonly Fragment[]) =>
      (await plain.inOneCommit<Row>([asMover, ...fragments])).slice(1),
  };
}

const SOCKET_CODES = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  // The Unix socket is gone while the server restarts.
  "ENOENT",
  "EACCES",
]);
/**
 * SQLSTATE classes that mean "not now" rather than "not so": 08 connection, 53 no resources, 57P shutdown and start-up,
 * 58 the disk fails; 25006 is a server that became a read-only replica, 25P03 a transaction that said nothing for too long.
 */
const STATES = /^(08...|53...|57P..|58...|25006|25P03)$/;
/** Messages of errors without a code: the driver throws them when a socket closes, or the pool waits too long for one. */
const MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end)/;

export function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (SOCKET_CODES.has(code) || STATES.test(code)) return true;
  // Node tries every address of a name and gathers the failures.
  if (error instanceof AggregateError) return error.errors.some(isConnectionFailure);
  return code === "" && MESSAGES.test(error.message);
}
