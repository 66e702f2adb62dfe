/**
 * Runs `work` for each item, in their order, at most `limit` at once. Items are taken only when there is room, so a long
 * source never piles up. The first failure stops taking more, and is thrown when those already running have ended. So does `enough`,
 * which is no failure.
 */
export async function eachOf<T>(
  items: Iterable<T> | AsyncIterable<T>,
  limit: number,
  work: (item: T) => Promise<unknown>,
  enough?: AbortSignal,
): Promise<void> {
  const running = new Set<Promise<unknown>>();
  const failures: unknown[] = [];
  try {
    for await (const item of items) {
      if (enough?.aborted) break;
      const task = work(item)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => running.delete(task));
      running.add(task);
      if (running.size >= limit) await Promise.race(running);
      if (failures.length > 0) break;
    }
  } catch (error) {
    // The source itself failed.
    failures.push(error);
  }
  await Promise.all(running);
  if (failures.length > 0) throw failures[0];
}
