import { dayOf, DAYS_KEPT } from "#domain/reader-rules";
import { DAY } from "#domain/time";
import type { Services } from "#operations/kernel/services";

const BATCH = 1_000;

/** Requests per route and day are kept as long as views are; the totals of a month are kept for ever. */
export const forgetTraffic = ({ platform, clock }: Services): Promise<number> =>
  platform.usage.forgetTraffic(dayOf(clock().getTime() - DAYS_KEPT * DAY), BATCH);
