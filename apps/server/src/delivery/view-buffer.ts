import { LATEST_MILLIS, VISIT_MILLIS } from "#domain/reader-rules";
import { type Clock, millis, SECOND } from "#domain/time";
import type { ReaderNumbers, View } from "#ports/reader-numbers";

/** Views that wait at most; while the database is away longer than they take to come, the newest are not counted. */
const MOST_WAITING = 100_000;
const BATCH = 5_000;

export interface ViewBuffer {
  add(view: View): void;
  /** Writes what waits; whatever cannot be written is kept for the next time. */
  flush(): Promise<void>;
  /** Writes what waits, and nothing more after it. */
  close(): Promise<void>;
}

/** Views are collected in memory and written together each second: readers do not wait for the database, and it is asked once. */
export function createViewBuffer(options: {
  readonly readers: Pick<ReaderNumbers, "add">;
  readonly clock: Clock;
  readonly onTrouble: (message: string, error: unknown) => void;
  readonly everyMillis?: number;
}): ViewBuffer {
  let waiting = new Map<string, View>();
  let writing: Promise<void> = Promise.resolve();
  let failing = false;

  async function write(): Promise<void> {
    const batch = [...waiting].slice(0, BATCH);
    if (batch.length === 0) return;
    // Views that come while this is written wait in the map beside it, and are judged by the database against it.
    for (const [key] of batch) waiting.delete(key);
    try {
      await options.readers.add(batch.map(([, view]) => view));
      failing = false;
    } catch (error) {
      if (!failing) options.onTrouble("Views could not be counted; they are kept and tried again", error);
      failing = true;
      const oldest = options.clock().getTime() - LATEST_MILLIS;
      const kept = batch.filter(([, view]) => millis(view.at) > oldest);
      waiting = new Map([...kept, ...waiting]);
      return;
    }
    if (batch.length === BATCH) await write();
  }

  const flush = (): Promise<void> => (writing = writing.then(write));
  const timer = setInterval(() => void flush(), options.everyMillis ?? SECOND);
  timer.unref();

  return {
    add(view) {
      const visit = `${view.websiteId} ${view.postId} ${view.visitors[0]}`;
      const before = waiting.get(visit);
      // The first of a visit counts, the others would only be thrown away by the database.
      if (before && millis(view.at) - millis(before.at) < VISIT_MILLIS) return;
      if (waiting.size < MOST_WAITING) waiting.set(before ? `${visit} ${view.at}` : visit, view);
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
