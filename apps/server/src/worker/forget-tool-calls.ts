import { DAY, timestamp } from "#domain/time";
import type { Services } from "#operations/kernel/services";

const KEPT_DAYS = 90;
const BATCH = 1_000;

/** The calls of connected tools can be read, and undone, for 90 days. */
export const forgetToolCalls = ({ connections, clock }: Services): Promise<number> =>
  connections.forgetCalls(timestamp(clock().getTime() - KEPT_DAYS * DAY), BATCH);
