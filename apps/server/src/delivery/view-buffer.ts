import { LATEST_MILLIS, VISIT_MILLIS } from "#domain/reader-rules";
import { type Clock, millis } from "#domain/time";
import { createWriteBehind, type WriteBehind } from "#domain/write-behind";
import type { ReaderNumbers, View } from "#ports/reader-numbers";

/** Visits that wait at most while the database is away. */
const MOST_KEPT = 100_000;
const BATCH = 5_000;

export interface ViewBuffer extends Pick<WriteBehind<never>, "flush" | "close"> {
  add(view: View): void;
}

/** Views are collected in memory and written together each second: readers do not wait for the database, and it is asked once. */
export function createViewBuffer(options: {
  readonly readers: Pick<ReaderNumbers, "add">;
  readonly clock: Clock;
  readonly onTrouble: (message: string, error: unknown) => void;
  readonly everyMillis?: number;
}): ViewBuffer {
  const { readers, clock, onTrouble, ...timing } = options;
  /** What one visitor looked at, of one post: one view, unless the database was away for longer than a visit. */
  const visits = createWriteBehind<readonly View[]>({
    ...timing,
    merging: {
      keyOf: ([view]) => `${view!.websiteId} ${view!.postId} ${view!.visitors[0]}`,
      // The first of a visit counts, the others would only be thrown away by the database.
      merge: (views, later) => [...views, ...later.filter(({ at }) => millis(at) - millis(views.at(-1)!.at) >= VISIT_MILLIS)],
    },
    atOnce: BATCH,
    mostKept: MOST_KEPT,
    async write(waiting) {
      const oldest = clock().getTime() - LATEST_MILLIS;
      await readers.add(waiting.flat().filter(({ at }) => millis(at) > oldest));
    },
    onOutage: (error) => onTrouble("Views could not be counted; they are kept and tried again", error),
    onLost: (error) => onTrouble("Views were not counted", error),
  });

  return { ...visits, add: (view) => void visits.add([view]) };
}
