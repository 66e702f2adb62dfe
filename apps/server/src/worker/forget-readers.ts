import { dayOf, DAYS_KEPT, FORGET_MILLIS, VISIT_MILLIS } from "#domain/reader-rules";
import { DAY, timestamp } from "#domain/time";
import type { Services } from "#operations/kernel/services";

const VISITORS_AT_ONCE = 10_000;
/** Each with a row for every post that was read then, and for every referrer. */
const DAYS_AT_ONCE = 20;

/** Visits are forgotten as soon as they can no longer decide whether a visitor is new, and the salt of a day with the day. */
export async function forgetVisitors({ readers, clock }: Services): Promise<number> {
  const now = clock().getTime();
  return readers.forget(dayOf(now - VISIT_MILLIS), timestamp(now - FORGET_MILLIS), VISITORS_AT_ONCE);
}

/** Views per day are kept for a year and a month; the total of a post is kept for ever. */
export const forgetReaderDays = ({ readers, clock }: Services): Promise<number> =>
  readers.forgetDays(dayOf(clock().getTime() - DAYS_KEPT * DAY), DAYS_AT_ONCE);
