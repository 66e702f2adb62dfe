import { currentWork, inPool, type PoolName } from "#domain/pool";
import { LOOK_UP_MILLIS } from "./pools.ts";
import { atTurnEnd } from "./turn-end.ts";

/** More than one, so that a connection that hangs holds up only those who ask over it. */
const MOST_BATCHES_AT_ONCE = 2;
/** Of one query. Rows can be large: no caller waits for the rows of many others, and no answer fills the memory. */
const MOST_KEYS = 50;
/** Errors of a single key or row: text that the database cannot take, bytes that it cannot read (SQLSTATE classes). */
const FAULT_OF_ONE_KEY = /^(?:22|XX)/;

interface Waiting<Key, Found> {
  readonly key: Key;
  resolve(found: Found | null): void;
  reject(error: unknown): void;
}

/**
 * Puts the look-ups that nearly every request makes into batches: those of one turn of the event loop share a query, and while
 * queries are under way, later look-ups wait for the next one. So the busier a node is, the fewer queries a request costs.
 * Nothing is cached: each look-up is answered by a query that was sent after it came.
 *
 * Statements take their keys as `unnest((SELECT $1::text[]))`. An array that the planner can count makes a plan for the three keys
 * at hand look cheaper than the kept one, and then every query is planned again, which takes longer than answering it.
 */
export function batchLookups<Key, Found>(
  ask: (keys: readonly Key[]) => Promise<readonly (Found | null)[]>,
  mostKeys = MOST_KEYS,
  /** A query that took so long to fail, in milliseconds, got no answer. */
  unansweredMillis = LOOK_UP_MILLIS,
): (key: Key) => Promise<Found | null> {
  // By pool, so that nobody waits for another pool's connections; without a signal, because the others still wait when one has gone.
  const lines = new Map<PoolName, { readonly waiting: Waiting<Key, Found>[]; underWay: number }>();

  async function askNext(pool: PoolName): Promise<void> {
    const line = lines.get(pool)!;
    if (line.waiting.length === 0 || line.underWay >= MOST_BATCHES_AT_ONCE) return;
    const batch = line.waiting.splice(0, mostKeys);
    line.underWay += 1;
    // The look-ups that did not fit into this batch.
    void askNext(pool);
    const began = performance.now();
    await inPool(pool, () => answer(batch)).catch((error: unknown) => {
      for (const { reject } of batch) reject(error);
      // Those who wait behind it would wait as long for the same, and their number would grow for as long as the database is away.
      if (performance.now() - began >= unansweredMillis) for (const { reject } of line.waiting.splice(0)) reject(error);
    });
    line.underWay -= 1;
    void askNext(pool);
  }

  async function answer(batch: readonly Waiting<Key, Found>[]): Promise<void> {
    try {
      const found = await ask(batch.map(({ key }) => key));
      batch.forEach(({ resolve }, index) => resolve(found[index] ?? null));
    } catch (error) {
      // A caller is not refused for another caller's faulty key: each key is then looked up alone.
      if (batch.length === 1 || !isFaultOfOneKey(error)) throw error;
      await Promise.all(batch.map((one) => answer([one]).catch(one.reject)));
    }
  }

  return (key) =>
    new Promise((resolve, reject) => {
      const { pool } = currentWork();
      let line = lines.get(pool);
      if (!line) lines.set(pool, (line = { waiting: [], underWay: 0 }));
      // The other look-ups of this turn of the loop are still to come.
      if (line.waiting.push({ key, resolve, reject }) === 1) atTurnEnd(() => void askNext(pool));
    });
}

const isFaultOfOneKey = (error: unknown): boolean =>
  error instanceof Error && "code" in error && typeof error.code === "string" && FAULT_OF_ONE_KEY.test(error.code);

/** Rows that carry the place of the key they answer, from 1, as `WITH ORDINALITY` counts: one for each key, or null. */
export function inKeyOrder<Row extends { readonly nth: number }, Found>(
  keys: readonly unknown[],
  rows: readonly Row[],
  present: (row: Row) => Found,
): readonly (Found | null)[] {
  const found = new Map(rows.map((row) => [row.nth, row]));
  return keys.map((_, index) => {
    const row = found.get(index + 1);
    return row ? present(row) : null;
  });
}
