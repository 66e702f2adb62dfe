import { DAY, timestamp } from "#domain/time";
import type { Services } from "#operations/kernel/services";

const KEPT_DAYS = 90;
const BATCH = 1_000;

/** What connected tools did can be looked at, and undone, for 90 days. */
export const forgetToolCalls = ({ connections, clock }: Services): Promise<number> =>
  connections.forgetCalls(timestamp(clock().getTime() - KEPT_DAYS * DAY), BATCH);
