import type { EventType } from "@stet/contract";
import type { Output } from "../../api/wire.ts";
import type { BadgeTone } from "../../ui/badge.tsx";

export type Webhook = Output<"list_webhooks">[number];
export type DeliveryHead = Output<"list_deliveries">["items"][number];
export type Attempt = NonNullable<DeliveryHead["lastAttempt"]>;

export const EVENT_WORDS: Record<EventType, { label: string; help: string }> = {
  "post.published": { label: "Published", help: "A post went live." },
  "post.updated": { label: "Updated", help: "What is live was changed." },
  "post.unpublished": { label: "Unpublished", help: "A post was taken down." },
  "post.deleted": { label: "Deleted", help: "A post went to the trash." },
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
  coalesced: { label: "Told with another", tone: "neutral" },
};

/** What came of an attempt, in a few words that a sentence can go on from. */
export function outcomeOf({ status, error }: Pick<Attempt, "status" | "error">): string {
  const reason = error?.replace(/\.$/, "");
  if (status === null) return reason ?? "No answer";
  return reason ? `${status}: ${reason}` : `Answered ${status}`;
}

/** Why it was switched off, and what to do. */
export function offWords({ offReason, failures }: Pick<Webhook, "offReason" | "failures">): string {
  return offReason === "gone"
    ? "The receiver answered 410 Gone. Correct the address, or delete the endpoint."
    : `${failures} attempts in a row failed. Mend the receiver, then switch the endpoint on again; what it missed can be sent then.`;
}
