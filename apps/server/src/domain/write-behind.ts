import { toItsEnd } from "./pool.ts";
import { SECOND } from "./time.ts";

/** Entries that are written beside the change they are about: a database that is away keeps nobody waiting, and no entry is lost. */
export interface WriteBehind<Entry> {
  /** Written soon, with others. A caller that waits for it adds no more than can be written; no caller has to wait. */
  add(entry: Entry): Promise<void>;
  /** Written before this returns, unless the database is away: then as soon as it is back. Never fails. */
  write(entry: Entry): Promise<void>;
  /** Writes the waiting entries now; those that cannot be written are kept. Never fails. */
  flush(): Promise<void>;
  /** Writes the waiting entries for the last time. */
  close(): Promise<void>;
}

interface WriteBehindOptions<Entry> {
  /** Writes all of them, or fails. One that comes twice, because only the answer was lost, is written once. */
  write(entries: readonly Entry[]): Promise<void>;
  /** Entries with one key wait as one. Without it each waits for itself. */
  readonly merging?: { keyOf(entry: Entry): string; merge(earlier: Entry, later: Entry): Entry };
  /** How many are written together; when as many wait, they are written at once. */
  readonly atOnce?: number;
  /** How long entries are collected, in milliseconds, and how soon after a failure they are tried again. */
  readonly everyMillis?: number;
  /** How many may wait while the database does not answer; beyond, the oldest are lost. */
  readonly mostKept?: number;
  /** Whether a failure passes by itself: the database is gone or just starting. Without it every failure does. */
  isOutage?(error: unknown): boolean;
  /** Said once, when an outage begins. */
  onOutage?(error: unknown): void;
  onLost(error: unknown): void;
}

export function createWriteBehind<Entry>(options: WriteBehindOptions<Entry>): WriteBehind<Entry> {
  const { merging, atOnce = 1_000, everyMillis = SECOND, mostKept = 10_000, isOutage = () => true, onLost } = options;
  const keyOf = (entry: Entry): unknown => merging?.keyOf(entry) ?? Symbol();
  let waiting = new Map<unknown, Entry>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  /** A round that has not begun: entries that come meanwhile are in it. */
  let next: Promise<void> | null = null;
  let isAway = false;
  let isClosed = false;

  function soon(): void {
    if (!isClosed) timer ??= setTimeout(now, everyMillis).unref();
  }

  function now(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    return (next ??= writing =
      writing.then(() => {
        next = null;
        // For many: whoever added the first entry may have gone.
        return toItsEnd(writeWaiting);
      }));
  }

  async function writeWaiting(): Promise<void> {
    while (waiting.size > 0) {
      const batch = takeOldest(atOnce);
      try {
        await options.write(batch.map(([, entry]) => entry));
        isAway = false;
      } catch (error) {
        if (isOutage(error)) return putBack(batch, error);
        // One that cannot be written, such as a line of a workspace that was just erased, must not cost others theirs.
        if (batch.length === 1) onLost(error);
        else await Promise.all(batch.map(([, entry]) => writeAlone(entry)));
      }
    }
  }

  function takeOldest(count: number): readonly (readonly [unknown, Entry])[] {
    const taken: [unknown, Entry][] = [];
    for (const pair of waiting) {
      if (taken.length === count) break;
      taken.push(pair);
      waiting.delete(pair[0]);
    }
    return taken;
  }

  async function writeAlone(entry: Entry): Promise<void> {
    try {
      await options.write([entry]);
      isAway = false;
    } catch (error) {
      if (isOutage(error)) putBack([[keyOf(entry), entry]], error);
      else onLost(error);
    }
  }

  /** Before what came meanwhile. */
  function putBack(batch: readonly (readonly [unknown, Entry])[], error: unknown): void {
    if (!isAway) options.onOutage?.(error);
    isAway = true;
    const later = waiting;
    waiting = new Map(batch);
    for (const [key, entry] of later) put(key, entry);
    soon();
  }

  function put(key: unknown, entry: Entry): void {
    const earlier = waiting.get(key);
    waiting.set(key, earlier === undefined ? entry : merging!.merge(earlier, entry));
    if (waiting.size > mostKept) makeRoom();
  }

  /** A tenth at once: a map whose first entry goes each time looks for it ever longer. */
  function makeRoom(): void {
    const { length } = takeOldest(Math.ceil(mostKept / 10));
    onLost(new Error(`${length} are too many to keep until the database answers.`));
  }

  return {
    async add(entry) {
      put(keyOf(entry), entry);
      // While the database is away, trying more often would only keep callers waiting.
      if (isClosed || (!isAway && waiting.size >= atOnce)) return now();
      soon();
    },
    write: writeAlone,
    flush: now,
    async close() {
      isClosed = true;
      await now();
      if (waiting.size > 0) onLost(new Error(`${waiting.size} could not be written before the end.`));
    },
  };
}
