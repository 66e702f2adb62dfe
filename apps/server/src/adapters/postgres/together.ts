/** More than one, so that a connection that hangs holds up only those who ask over it. */
const MOST_UNDER_WAY = 2;
/** Of one question. What is found can be large: nobody waits for all of what many others asked, and no answer fills the memory. */
const MOST_TOGETHER = 50;
/** What the database holds against one key or one row: text that it cannot take, bytes that it cannot read (SQLSTATE classes). */
const ABOUT_ONE = /^(?:22|XX)/;

interface Waiting<Key, Found> {
  readonly key: Key;
  resolve(found: Found | null): void;
  reject(error: unknown): void;
}

/**
 * Look-ups that nearly every request makes, asked together: those who come in one turn of the loop share a question, and while
 * some are under way, whoever comes waits for the next one. So the busier a node is, the fewer questions a request costs.
 * Nothing is remembered: each is answered by a question that was asked after it came.
 *
 * Statements take their keys as `unnest((SELECT $1::text[]))`. An array that the planner can count makes a plan for the three keys
 * at hand look cheaper than the kept one, and then every question is planned anew, which takes longer than answering it.
 */
export function together<Key, Found>(
  ask: (keys: readonly Key[]) => Promise<readonly (Found | null)[]>,
  mostTogether = MOST_TOGETHER,
): (key: Key) => Promise<Found | null> {
  const waiting: Waiting<Key, Found>[] = [];
  let underWay = 0;

  async function askNext(): Promise<void> {
    if (waiting.length === 0 || underWay >= MOST_UNDER_WAY) return;
    const asking = waiting.splice(0, mostTogether);
    underWay += 1;
    // Those for whom there was no room.
    void askNext();
    await answer(asking);
    underWay -= 1;
    void askNext();
  }

  async function answer(asking: readonly Waiting<Key, Found>[]): Promise<void> {
    try {
      const found = await ask(asking.map(({ key }) => key));
      asking.forEach(({ resolve }, index) => resolve(found[index] ?? null));
    } catch (error) {
      // Whoever asks beside somebody else's faulty key is not refused for it: then each is asked for alone.
      if (asking.length > 1 && isAboutOne(error)) await Promise.all(asking.map((one) => answer([one])));
      else for (const { reject } of asking) reject(error);
    }
  }

  return (key) =>
    new Promise((resolve, reject) => {
      // Those that came with it, in the same turn of the loop, are on their way here too.
      if (waiting.push({ key, resolve, reject }) === 1) setImmediate(askNext);
    });
}

const isAboutOne = (error: unknown): boolean =>
  error instanceof Error && "code" in error && typeof error.code === "string" && ABOUT_ONE.test(error.code);

/** Rows that carry the place of the key they answer, from 1, as `WITH ORDINALITY` counts: one for each key, or null. */
export function inOrder<Row extends { readonly nth: number }, Found>(
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
