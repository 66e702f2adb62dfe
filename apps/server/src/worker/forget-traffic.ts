import { dayOf, DAYS_KEPT } from "#domain/reader-rules";
import { DAY } from "#domain/time";
import type { Services } from "#operations/kernel/services";

const BATCH = 1_000;

/** What was asked of which endpoint on which day is known as long as what was read; how much was counted in a month, for ever. */
export const forgetTraffic = ({ platform, clock }: Services): Promise<number> =>
  platform.usage.forgetTraffic(dayOf(clock().getTime() - DAYS_KEPT * DAY), BATCH);
