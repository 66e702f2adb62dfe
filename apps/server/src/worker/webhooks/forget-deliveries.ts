import { DAY, timestamp } from "#domain/time";
import type { Services } from "#operations/kernel/services";

const KEPT_DAYS = 90;
const BATCH = 1_000;

/** Delivery records are kept for 90 days. */
export const forgetDeliveries = ({ webhooks, clock }: Services): Promise<number> =>
  webhooks.forgetDeliveries(timestamp(clock().getTime() - KEPT_DAYS * DAY), BATCH);
