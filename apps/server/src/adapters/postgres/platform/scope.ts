import type { Queryable } from "../database.ts";

/** Where a part of the platform runs its statements: the pool, or the one connection of a transaction that is under way. */
export interface Scope extends Queryable {
  /** Several statements as one: a transaction of its own, or part of the one under way. */
  atomically<T>(work: (connection: Queryable) => Promise<T>): Promise<T>;
}

/** Inside a transaction everything is part of it already. */
export const scopeOf = (connection: Queryable): Scope => ({
  query: (statement) => connection.query(statement),
  atomically: (work) => work(connection),
});

/** The first row, or null. */
export async function one<Row extends Record<string, unknown>>(scope: Queryable, text: string, values: unknown[]): Promise<Row | null> {
  const { rows } = await scope.query<Row>({ text, values });
  return rows[0] ?? null;
}

/** The same for what nearly every request asks for by a key: the plan is kept, and it leaves together with the other look-ups of this turn. */
export async function oneOften<Row extends Record<string, unknown>>(
  scope: Queryable,
  text: string,
  values: unknown[],
): Promise<Row | null> {
  const { rows } = await scope.query<Row>({ text, values, keepPlan: true, joins: true });
  return rows[0] ?? null;
}

export async function all<Row extends Record<string, unknown>>(scope: Queryable, text: string, values: unknown[]): Promise<Row[]> {
  const { rows } = await scope.query<Row>({ text, values });
  return rows;
}

/** Runs it and answers how many rows it touched. */
export async function run(scope: Queryable, text: string, values: unknown[]): Promise<number> {
  const { rowCount } = await scope.query({ text, values });
  return rowCount ?? 0;
}
