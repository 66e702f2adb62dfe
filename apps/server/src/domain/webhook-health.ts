import type { DeliveryId } from "#domain/ids";
import { type Timestamp, timestamp } from "#domain/time";
import { delayAfter, FAILURES_UNTIL_NOTICE, FAILURES_UNTIL_OFF } from "#domain/webhook-schedule";
import { type Attempt, type DeliveryStatus, isReceived, type OffReason, type Webhook } from "#domain/webhook";

/** Slower answers are waited for apart from the quick ones, so that they hold up nobody else. */
const SLOW_MILLIS = 2_000;
const GONE = 410;

export interface TriedDelivery {
  readonly deliveryId: DeliveryId;
  /** Attempts of this series before this one. */
  readonly tries: number;
  /** A person waits for the result of a test: it is tried once. */
  readonly isTest: boolean;
  readonly attempt: Attempt;
}

/** The state of the endpoint and of each delivery after a round of attempts that were made at the same time. */
export interface EndpointHealth {
  readonly status: "active" | "failing" | "off";
  readonly offReason: OffReason | null;
  readonly failures: number;
  readonly failingSince: Timestamp | null;
  /** When the next probe may be made, while failing. */
  readonly probeAt: Timestamp | null;
  readonly isSlow: boolean;
  readonly deliveries: readonly { readonly deliveryId: DeliveryId; readonly status: DeliveryStatus; readonly readyAt: Timestamp }[];
  /** The notice that the owner gets. */
  readonly notice: "failing" | "off" | null;
}

/**
 * Successes count before failures: attempts made at the same time have no order, and an endpoint of which one of ten failed is
 * probed before it gets the next ten.
 */
export function healthAfter(
  before: Pick<Webhook, "failures" | "failingSince">,
  tried: readonly TriedDelivery[],
  now: Date,
  random: () => number,
): EndpointHealth {
  const failed = tried.filter(({ attempt }) => !isReceived(attempt));
  const start = failed.length < tried.length ? 0 : before.failures;
  const failures = start + failed.length;
  const isGone = failed.some(({ attempt }) => attempt.status === GONE);
  const isOff = isGone || failures >= FAILURES_UNTIL_OFF;
  const waits = new Map(failed.map(({ deliveryId, tries, isTest }) => [deliveryId, isTest ? null : delayAfter(tries + 1, random)]));
  const after = (milliseconds: number) => timestamp(now.getTime() + milliseconds);
  const shortest = Math.min(...[...waits.values()].filter((wait) => wait !== null));
  const status = isOff ? "off" : failed.length > 0 ? "failing" : "active";
  return {
    status,
    offReason: isGone ? "gone" : isOff ? "failures" : null,
    failures,
    failingSince: failed.length === 0 ? null : start === 0 ? after(0) : (before.failingSince ?? after(0)),
    // Of one that has no attempts left the next in line takes over, when it is due itself.
    probeAt: status === "failing" ? after(Number.isFinite(shortest) ? shortest : 0) : null,
    isSlow: tried.some(({ attempt }) => attempt.millis >= SLOW_MILLIS),
    deliveries: tried.map(({ deliveryId, isTest }) => {
      const wait = waits.get(deliveryId);
      if (wait === undefined) return { deliveryId, status: "delivered", readyAt: after(0) };
      // Deliveries that still wait when the endpoint goes off are missed: switching it on again offers to send them.
      if (isOff && !isTest) return { deliveryId, status: "missed", readyAt: after(0) };
      return wait === null ? { deliveryId, status: "failed", readyAt: after(0) } : { deliveryId, status: "waiting", readyAt: after(wait) };
    }),
    notice: isOff ? "off" : start < FAILURES_UNTIL_NOTICE && failures >= FAILURES_UNTIL_NOTICE ? "failing" : null,
  };
}
