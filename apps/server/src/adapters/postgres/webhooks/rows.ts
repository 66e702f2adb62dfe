import type { EventType } from "@stet/contract";
import type { DeliveryId, EventId, PostId, UserId, WebhookId, WebsiteId } from "#domain/ids";
import type { PostEvent } from "#domain/post";
import type { Timestamp } from "#domain/time";
import type { Attempt, Delivery, DeliveryHead, DeliveryStatus, OffReason, PreviousSecret, Webhook, WebhookStatus } from "#domain/webhook";
import type { WebhookEventType } from "#domain/webhook-body";

export interface WebhookRow extends Record<string, unknown> {
  website_id: WebsiteId;
  id: WebhookId;
  url: string;
  events: readonly EventType[];
  debounce_seconds: number;
  status: WebhookStatus;
  off_reason: OffReason | null;
  failures: number;
  failing_since: Timestamp | null;
  secret: string;
  previous_secrets: readonly PreviousSecret[];
  created_at: Timestamp;
  created_by: UserId | null;
  last_delivery_id: DeliveryId | null;
  last_attempt_at: Timestamp | null;
  last_status: number | null;
  last_error: string | null;
  probe_at: Timestamp | null;
}

export const webhookOf = (row: WebhookRow): Webhook => ({
  id: row.id,
  websiteId: row.website_id,
  url: row.url,
  events: row.events,
  debounceSeconds: row.debounce_seconds,
  status: row.status,
  offReason: row.off_reason,
  failures: row.failures,
  failingSince: row.failing_since,
  secret: row.secret,
  previousSecrets: row.previous_secrets,
  createdAt: row.created_at,
  createdBy: row.created_by,
  lastAttempt:
    row.last_delivery_id !== null && row.last_attempt_at !== null
      ? { deliveryId: row.last_delivery_id, at: row.last_attempt_at, status: row.last_status, error: row.last_error }
      : null,
});

export interface HeadRow extends Record<string, unknown> {
  website_id: WebsiteId;
  id: DeliveryId;
  webhook_id: WebhookId;
  event_id: EventId;
  event_type: WebhookEventType;
  post_id: PostId | null;
  title: string | null;
  status: DeliveryStatus;
  attempts: number;
  tries: number;
  ready_at: Timestamp;
  created_at: Timestamp;
  coalesced: readonly EventId[];
  last_attempt: Attempt | null;
}
export interface DeliveryRow extends HeadRow {
  body: string | null;
  log: readonly Attempt[];
}
export interface WaitingRow extends HeadRow {
  body: string | null;
  event: PostEvent | null;
}

/** A test is no event of the log, and has no place in it. */
export const IS_TEST = "sequence = 0";

/** Everything but what is large: the body, and what came of each attempt. */
export const HEAD_COLUMNS = `d.website_id, d.id, d.webhook_id, d.event_id, d.event_type, d.post_id, d.title, d.status, d.attempts, d.tries, d.ready_at,
  d.created_at, d.coalesced, d.log->-1 AS last_attempt`;
export const DELIVERY_COLUMNS = `${HEAD_COLUMNS}, d.body, d.log`;

export const headOf = (row: HeadRow): DeliveryHead => ({
  id: row.id,
  websiteId: row.website_id,
  webhookId: row.webhook_id,
  eventId: row.event_id,
  eventType: row.event_type,
  postId: row.post_id,
  title: row.title,
  status: row.status,
  attempts: row.attempts,
  tries: row.tries,
  createdAt: row.created_at,
  lastAttempt: row.last_attempt,
  coalesced: row.coalesced,
});

export const deliveryOf = (row: DeliveryRow): Delivery => ({ ...headOf(row), body: row.body, log: row.log });
