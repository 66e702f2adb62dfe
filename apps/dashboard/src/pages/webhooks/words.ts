import type { EventType } from "@stet/contract";
import type { Output } from "../../api/wire.ts";
import { formatDateTime, relativeTime } from "../../lib/time.ts";
import type { BadgeTone } from "../../ui/badge.tsx";

export type Webhook = Output<"list_webhooks">[number];
export type DeliveryHead = Output<"list_deliveries">["items"][number];
export type Attempt = NonNullable<DeliveryHead["lastAttempt"]>;

export const EVENT_WORDS: Record<EventType, { label: string; help: string }> = {
  "post.published": { label: "Published", help: "A post was published." },
  "post.updated": { label: "Updated", help: "Changes to a post were published." },
  "post.unpublished": { label: "Unpublished", help: "A post was unpublished." },
  "post.deleted": { label: "Deleted", help: "A post was moved to the trash." },
};

export const STATUS_WORDS: Record<Webhook["status"], { label: string; tone: BadgeTone }> = {
  active: { label: "Active", tone: "ok" },
  failing: { label: "Failing", tone: "warn" },
  paused: { label: "Paused", tone: "neutral" },
  off: { label: "Switched off", tone: "danger" },
};

export const DELIVERY_WORDS: Record<DeliveryHead["status"], { label: string; tone: BadgeTone }> = {
  waiting: { label: "Waiting", tone: "info" },
  delivered: { label: "Delivered", tone: "ok" },
  failed: { label: "Failed", tone: "danger" },
  missed: { label: "Missed", tone: "warn" },
  coalesced: { label: "Grouped", tone: "neutral" },
};

/** The post of a delivery, by the title it had then. */
export function subjectOf({ eventType, title }: Pick<DeliveryHead, "eventType" | "title">): string {
  if (title !== null) return title || "Untitled";
  return eventType === "webhook.test" ? "Test" : "A post that was never published";
}

/** The result of an attempt, in a few words that can start a sentence. */
export function outcomeOf({ status, error }: Pick<Attempt, "status" | "error">): string {
  if (error !== null) return error.replace(/\.$/, "");
  return status === null ? "No answer" : `Answered ${status}`;
}

/** When a failing endpoint is tried next. */
export function nextTryWords({ nextProbeAt, waiting }: Pick<Webhook, "nextProbeAt" | "waiting">, now = Date.now()): string {
  if (nextProbeAt === null) return waiting > 0 ? "Trying now." : "No deliveries are waiting. Delivery resumes with the next event.";
  return Date.parse(nextProbeAt) - now < 60_000
    ? "Next attempt in less than a minute."
    : `Next attempt ${relativeTime(nextProbeAt, now)}, at ${formatDateTime(nextProbeAt)}.`;
}

/** The next step of a delivery; null when there is none. */
export function prospectOf({ status, eventType }: Pick<DeliveryHead, "status" | "eventType">, webhook: Webhook): string | null {
  const isTest = eventType === "webhook.test";
  switch (status) {
    case "waiting":
      if (webhook.status === "failing" && !isTest) return `The endpoint is failing, so this delivery waits. ${nextTryWords(webhook)}`;
      return webhook.debounceSeconds > 0 && !isTest ? "The endpoint groups changes: this one is sent with those that follow." : null;
    case "delivered":
      return null;
    case "failed":
      return isTest ? "A test is tried once." : "Every attempt failed. Resend it when the receiver is fixed.";
    case "missed":
      return "The endpoint was paused or switched off. Resend it when the endpoint is on.";
    case "coalesced":
      return "The endpoint groups changes: a later delivery includes this event.";
  }
}

/** The reason why an endpoint was switched off, and the next step. */
export function offWords({ offReason, failures }: Pick<Webhook, "offReason" | "failures">): string {
  return offReason === "gone"
    ? "The receiver answered 410 Gone. Correct the address or delete the endpoint; if it was a mistake, switch it on again."
    : `${failures} attempts in a row failed. Fix the receiver, then switch the endpoint on again and resend what it missed.`;
}
