import type { KeyId, WebsiteId, WorkspaceId } from "#domain/ids";
import { MINUTE, type Timestamp, timestamp } from "#domain/time";
import { type UtcDay, utcDay } from "#domain/utc-day";
import { createWriteBehind } from "#domain/write-behind";
import type { Platform, UsageRow } from "#ports/platform";
import { createMeters, type Meters } from "./meters.ts";

/** Answers given since the last flush, by route and kind of answer. */
export interface UsageCounter {
  readonly workspaceId: WorkspaceId;
  readonly websiteId: WebsiteId;
  /** Set for a key with a cap of its own. */
  readonly keyId: KeyId | null;
  day: string;
  counts: Uint32Array | null;
  isWaiting: boolean;
}

export interface Usage {
  readonly meters: Meters;
  counter(of: { workspaceId: WorkspaceId; websiteId: WebsiteId; keyId: KeyId | null }): UsageCounter;
  /** One answer: `status` of the route with this number. Answers 200 are the ones that count. */
  count(counter: UsageCounter, route: number, status: number, today: UtcDay): void;
  /** A key was used in this minute. */
  touch(websiteId: WebsiteId, keyId: KeyId, now: number): void;
  /** The day of this moment; worked out once a day. */
  today(now: number): UtcDay;
  /** Stores the counts; those that could not be stored are kept for the next time. */
  flush(): Promise<void>;
  /** Stores the last uses of keys that still wait. What was counted is stored by `flush` alone. */
  close(): Promise<void>;
}

interface Batch {
  /** The same when it is tried again: a batch that was stored although its answer was lost is not counted twice. */
  readonly id: string;
  readonly month: string;
  readonly rows: readonly UsageRow[];
}

const CLASSES = 6;

/** Keys whose last use waits at most while the database is away. */
const MOST_KEYS = 50_000;

/**
 * Counts in memory, on the request path; stores beside it. What is counted waits in its counters and not in a `WriteBehind`: it is
 * added up in place, and a batch that failed is tried again as it was, under its number, before the next one is made.
 */
export function createUsage(options: {
  usage: Platform["usage"];
  /** Patterns by number. */
  routes: readonly string[];
  makeBatchId: () => string;
  onStored: (rows: readonly UsageRow[], month: string) => void;
  onTrouble: (message: string, error: unknown) => void;
  flushMillis: number;
}): Usage {
  const { usage, routes, onTrouble } = options;
  const meters = createMeters(usage);
  let waiting: UsageCounter[] = [];
  let rows: UsageRow[] = [];
  let batches: Batch[] = [];
  let day = utcDay(0);
  let flushing: Promise<void> | null = null;
  const uses = createWriteBehind<{ websiteId: WebsiteId; keyId: KeyId; at: Timestamp }>({
    write: (used) => usage.touchKeys(used),
    merging: { keyOf: ({ keyId }) => keyId, merge: (_earlier, later) => later },
    everyMillis: options.flushMillis,
    mostKept: MOST_KEYS,
    onOutage: (error) => onTrouble("The last use of keys cannot be stored; it is kept and tried again", error),
    onLost: (error) => onTrouble("The last use of keys was not stored", error),
  });

  /** Moves what a counter holds to the rows of its day. */
  function empty(counter: UsageCounter): void {
    const { counts, day: countedOn, workspaceId, websiteId, keyId } = counter;
    if (!counts) return;
    for (let index = 0; index < counts.length; index++) {
      const requests = counts[index]!;
      if (requests === 0) continue;
      const statusClass = index % CLASSES;
      const route = routes[Math.floor(index / CLASSES)]!;
      rows.push({ workspaceId, websiteId, keyId, day: countedOn, route, statusClass, requests, counted: statusClass === 2 ? requests : 0 });
    }
    // An idle website keeps nothing.
    counter.counts = null;
  }

  /** Turns waiting counts into batches, one a month: totals are kept by month. Only when the last batches are stored. */
  function makeBatches(): void {
    const counters = waiting;
    waiting = [];
    for (const counter of counters) {
      counter.isWaiting = false;
      empty(counter);
    }
    const byMonth = Map.groupBy(rows, (row) => row.day.slice(0, 7));
    rows = [];
    batches = [...byMonth].map(([month, ofMonth]) => ({ id: options.makeBatchId(), month, rows: ofMonth }));
  }

  async function store(): Promise<void> {
    if (batches.length === 0) makeBatches();
    while (batches[0]) {
      const { id, month, rows: stored } = batches[0];
      meters.acknowledge(month, stored, await usage.add(stored, id));
      batches.shift();
      options.onStored(stored, month);
    }
  }

  return {
    meters,
    counter: (of) => ({ ...of, day: "", counts: null, isWaiting: false }),
    count(counter, route, status, today) {
      if (counter.day !== today.day) {
        empty(counter);
        counter.day = today.day;
      }
      counter.counts ??= new Uint32Array(routes.length * CLASSES);
      counter.counts[route * CLASSES + Math.floor(status / 100)]! += 1;
      if (!counter.isWaiting) {
        counter.isWaiting = true;
        waiting.push(counter);
      }
    },
    touch: (websiteId, keyId, now) => void uses.add({ websiteId, keyId, at: timestamp(now - (now % MINUTE)) }),
    today(now) {
      if (now < day.start || now >= day.end) day = utcDay(now);
      return day;
    },
    async flush() {
      // One at a time; a caller that comes meanwhile wants the counts until now, so another round follows.
      while (flushing) await flushing.catch(() => {});
      flushing = store().finally(() => (flushing = null));
      await flushing;
      await uses.flush();
    },
    close: uses.close,
  };
}
