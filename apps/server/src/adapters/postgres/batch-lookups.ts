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
): (key: Key) => Promise<Found | null> {
  const waiting: Waiting<Key, Found>[] = [];
  let underWay = 0;

  async function askNext(): Promise<void> {
    if (waiting.length === 0 || underWay >= MOST_BATCHES_AT_ONCE) return;
    const batch = waiting.splice(0, mostKeys);
    underWay += 1;
    // The look-ups that did not fit into this batch.
    void askNext();
    await answer(batch);
    underWay -= 1;
    void askNext();
  }

  async function answer(batch: readonly Waiting<Key, Found>[]): Promise<void> {
    try {
      const found = await ask(batch.map(({ key }) => key));
      batch.forEach(({ resolve }, index) => resolve(found[index] ?? null));
    } catch (error) {
      // A caller is not refused for another caller's faulty key: each key is then looked up alone.
      if (batch.length > 1 && isFaultOfOneKey(error)) await Promise.all(batch.map((one) => answer([one])));
      else for (const { reject } of batch) reject(error);
    }
  }

  return (key) =>
    new Promise((resolve, reject) => {
      // The other look-ups of this turn of the loop are still to come.
      if (waiting.push({ key, resolve, reject }) === 1) atTurnEnd(() => void askNext());
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
