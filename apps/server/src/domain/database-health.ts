import type { WebsiteId } from "#domain/ids";
import { DAY, MINUTE, millis, type Timestamp, timestamp } from "#domain/time";

/** How a customer's database did in a span of time. */
export interface HealthCounts {
  /** Works that it answered. */
  readonly answered: number;
  /** Works that it did not. */
  readonly failed: number;
  /** Questions that were timed. */
  readonly timed: number;
  /** How long all of those took together. */
  readonly timedMillis: number;
}

/** What a node has to say of one span. */
export interface HealthSample extends HealthCounts {
  readonly websiteId: WebsiteId;
  /** When the span began. */
  readonly at: Timestamp;
  /** Why the last work was not answered, in words; null: it was. */
  readonly error: string | null;
  readonly errorAt: Timestamp | null;
  readonly isAway: boolean;
}

/** One bar of the graph. */
export interface HealthBar {
  readonly at: Timestamp;
  readonly answered: number;
  readonly failed: number;
  /** Of a question, on the average; null where none was timed. */
  readonly latencyMillis: number | null;
}

/** Nodes count by such spans. */
const SPAN_MILLIS = 5 * MINUTE;
/** So long is kept, and shown. */
const KEPT_MILLIS = DAY;
const BAR_MILLIS = 15 * MINUTE;

export const spanOf = (now: Date): Timestamp => timestamp(Math.floor(now.getTime() / SPAN_MILLIS) * SPAN_MILLIS);

/** How much of the span has passed, from 0 to 1. */
export const partOfSpan = (now: Date): number => (now.getTime() % SPAN_MILLIS) / SPAN_MILLIS;

/** What lies before is forgotten. */
export const healthKeptSince = (now: Date): Timestamp => timestamp(now.getTime() - KEPT_MILLIS);

export const addCounts = (left: HealthCounts, right: HealthCounts): HealthCounts => ({
  answered: left.answered + right.answered,
  failed: left.failed + right.failed,
  timed: left.timed + right.timed,
  timedMillis: left.timedMillis + right.timedMillis,
});

const NOTHING: HealthCounts = { answered: 0, failed: 0, timed: 0, timedMillis: 0 };

/** The last day in bars of a quarter of an hour, oldest first. Those in which nobody asked are there too, and empty. */
export function healthBars(samples: readonly (HealthCounts & { readonly at: Timestamp })[], now: Date): readonly HealthBar[] {
  const sums = new Map<number, HealthCounts>();
  for (const sample of samples) {
    const bar = Math.floor(millis(sample.at) / BAR_MILLIS);
    sums.set(bar, addCounts(sums.get(bar) ?? NOTHING, sample));
  }
  const last = Math.floor(now.getTime() / BAR_MILLIS);
  const count = KEPT_MILLIS / BAR_MILLIS;
  return Array.from({ length: count }, (_, index) => {
    const bar = last - count + 1 + index;
    const { answered, failed, timed, timedMillis } = sums.get(bar) ?? NOTHING;
    const latencyMillis = timed === 0 ? null : Math.max(1, Math.round(timedMillis / timed));
    return { at: timestamp(bar * BAR_MILLIS), answered, failed, latencyMillis };
  });
}
