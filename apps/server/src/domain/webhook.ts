import type { EventType } from "@stet/contract";
import type { DeliveryId, EventId, PostId, UserId, WebhookId, WebsiteId } from "#domain/ids";
import type { Timestamp } from "#domain/time";
import type { WebhookEventType } from "#domain/webhook-body";

/**
 * active: everything is sent as it comes. failing: the last attempt failed; deliveries wait in order while one at a time probes.
 * paused: by a person. off: by us, after too many failures or a 410. What happens while paused or off is missed, and kept.
 */
const WEBHOOK_STATUSES = ["active", "failing", "paused", "off"] as const;
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

/** Why it was switched off: too many failed attempts in a row, or the receiver answered 410. */
export type OffReason = "failures" | "gone";

export interface PreviousSecret {
  /** Sealed. */
  readonly secret: string;
  readonly until: Timestamp;
}

/** A customer's address that is told what happens to the posts of a website. */
export interface Webhook {
  readonly id: WebhookId;
  readonly websiteId: WebsiteId;
  readonly url: string;
  readonly events: readonly EventType[];
  /** Changes within so many seconds are told as one; 0 tells each. */
  readonly debounceSeconds: number;
  readonly status: WebhookStatus;
  readonly offReason: OffReason | null;
  /** Failed attempts in a row. */
  readonly failures: number;
  readonly failingSince: Timestamp | null;
  /** Sealed; the text itself was shown once. */
  readonly secret: string;
  /** Those before it, newest first; each signs as well until its time is over. */
  readonly previousSecrets: readonly PreviousSecret[];
  readonly createdAt: Timestamp;
  readonly createdBy: UserId | null;
  readonly lastAttempt: {
    readonly deliveryId: DeliveryId;
    readonly at: Timestamp;
    readonly status: number | null;
    readonly error: string | null;
  } | null;
}

/**
 * waiting: not received yet. delivered: answered 2xx. failed: every attempt failed. missed: the endpoint was paused or off.
 * coalesced: another delivery told of it.
 */
export const DELIVERY_STATUSES = ["waiting", "delivered", "failed", "missed", "coalesced"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** One attempt: what came back, or why nothing did. */
export interface Attempt {
  readonly at: Timestamp;
  readonly url: string;
  /** HTTP status; null when there was no answer. */
  readonly status: number | null;
  /** The error in words for people; null when the answer was 2xx. */
  readonly error: string | null;
  readonly millis: number;
  /** The beginning of the answer's text. */
  readonly answer: string;
}

/** One event on its way to one endpoint. */
export interface DeliveryHead {
  readonly id: DeliveryId;
  readonly websiteId: WebsiteId;
  readonly webhookId: WebhookId;
  readonly eventId: EventId;
  readonly eventType: WebhookEventType;
  /** Null for a test. */
  readonly postId: PostId | null;
  /** Of the post when it happened; null for a test and for a post that was never live. */
  readonly title: string | null;
  readonly status: DeliveryStatus;
  /** All attempts ever made. */
  readonly attempts: number;
  /** Attempts since it was last put in line: the schedule counts these. */
  readonly tries: number;
  readonly createdAt: Timestamp;
  readonly lastAttempt: Attempt | null;
  /** Other events that this one stands for. */
  readonly coalesced: readonly EventId[];
}

export interface Delivery extends DeliveryHead {
  /** Exactly what is sent, the same with every attempt; null before the first. */
  readonly body: string | null;
  /** The latest attempts, oldest first. */
  readonly log: readonly Attempt[];
}

export const isReceived = ({ status }: Pick<Attempt, "status">): boolean => status !== null && status >= 200 && status < 300;
