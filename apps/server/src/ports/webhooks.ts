import type { DeliveryId, PostId, WebhookId, WebsiteId } from "#domain/ids";
import type { PostEvent } from "#domain/post";
import type { Timestamp } from "#domain/time";
import type { Attempt, Delivery, DeliveryHead, DeliveryStatus, PreviousSecret, Webhook } from "#domain/webhook";
import type { TestEvent, WebhookEventType } from "#domain/webhook-body";
import type { EndpointHealth } from "#domain/webhook-health";
import type { After, ListPage } from "#ports/list-page";

/** Endpoints, and what is on its way to them. */
export interface Webhooks extends Endpoints, Deliveries, DeliveryQueue {}

export interface Endpoints {
  /** It receives the events from now on. */
  create(webhook: Webhook): Promise<void>;
  get(websiteId: WebsiteId, id: WebhookId): Promise<Webhook | null>;
  /** Oldest first. */
  list(websiteId: WebsiteId): Promise<readonly (Webhook & EndpointLine)[]>;
  /** A new address is healthy until it proves otherwise: what an attempt still under way to the old one says does not count. */
  update(websiteId: WebsiteId, id: WebhookId, change: Pick<Webhook, "url" | "events" | "debounceSeconds">, now: Timestamp): Promise<void>;
  /** Nothing is sent any more; what waits is missed. */
  pause(websiteId: WebsiteId, id: WebhookId): Promise<void>;
  /**
   * One that was paused or off sends again from now on, healthy until it proves otherwise; one that is failing is probed now. Puts what
   * was missed back in line if asked, and answers how many.
   */
  resume(websiteId: WebsiteId, id: WebhookId, resend: boolean, now: Timestamp): Promise<number>;
  /** False when it has another secret by now than `webhook` says: somebody else rolled it, or it was sealed anew. */
  rollSecret(webhook: Pick<Webhook, "websiteId" | "id" | "secret">, secret: string, previous: readonly PreviousSecret[]): Promise<boolean>;
  /** With everything that was or will be sent to it. */
  delete(websiteId: WebsiteId, id: WebhookId): Promise<void>;
}

export interface EndpointLine {
  /** Deliveries that are still on their way. */
  readonly waiting: number;
  /** Deliveries that were not sent because it was paused or off. */
  readonly missed: number;
  /** While failing, when it is tried next; null when nothing waits, or at this very moment. */
  readonly nextProbeAt: Timestamp | null;
}

interface DeliveryQuery {
  readonly webhookId?: WebhookId;
  readonly status?: DeliveryStatus;
  readonly eventType?: WebhookEventType;
  readonly postId?: PostId;
  readonly titleContains?: string;
  /** Newest first, then id descending. */
  readonly after: After | null;
  readonly limit: number;
}

export interface Deliveries {
  listDeliveries(websiteId: WebsiteId, query: DeliveryQuery): Promise<ListPage<DeliveryHead>>;
  getDelivery(websiteId: WebsiteId, id: DeliveryId): Promise<Delivery | null>;
  /** A delivery without an event in the log; its body is ready. */
  addTest(webhook: Pick<Webhook, "websiteId" | "id">, id: DeliveryId, event: TestEvent, body: string): Promise<void>;
  /** Puts it in line again from its first attempt. False when it waits already. */
  resend(websiteId: WebsiteId, id: DeliveryId, now: Timestamp): Promise<boolean>;
  /** All of an endpoint that failed or were missed, and were made since then; answers how many. */
  resendFailed(websiteId: WebsiteId, webhookId: WebhookId, since: Timestamp, now: Timestamp): Promise<number>;
  /** Removes up to `limit` records made before then, of all websites; answers how many. Those still waiting stay. */
  forgetDeliveries(before: Timestamp, limit: number): Promise<number>;
}

/** The right to serve one endpoint, until it is given back or runs out. */
export interface Lease {
  readonly websiteId: WebsiteId;
  readonly webhookId: WebhookId;
  /** Differs with every claim: a worker that lost a lease cannot write as its holder. */
  readonly holder: string;
}

export interface Waiting extends DeliveryHead {
  /** Null before its first attempt. */
  readonly body: string | null;
  /** Null for a test. */
  readonly event: PostEvent | null;
}

export interface DeliveryQueue {
  /**
   * Makes deliveries of the events of one website that were not handed out yet. Answers how many events it looked at, or null when
   * no website is behind. May be called anywhere, any number of times. When it throws, that website is passed over for 15 seconds.
   */
  handOut(now: Timestamp, newId: () => DeliveryId, limit: number): Promise<number | null>;
  /** Endpoints that are due, each hidden from other workers for `leaseSeconds`. Those that fail or are slow stand in a lane of their own. */
  claim(lane: "quick" | "slow", now: Timestamp, leaseSeconds: number, limit: number): Promise<readonly Lease[]>;
  /**
   * The deliveries to send now, in order, at most `limit`, and one while it is failing: the first in line when its probe is due, or a test at
   * any time. The lease begins anew. Null when the lease is lost or the endpoint gone. Where changes are told as one, they are put
   * together here.
   */
  take(
    lease: Lease,
    now: Timestamp,
    leaseSeconds: number,
    limit: number,
  ): Promise<{ webhook: Webhook; deliveries: readonly Waiting[] } | null>;
  /** Whether what its holder finds out still counts: the lease is not lost, and nobody paused the endpoint meanwhile. */
  counts(lease: Lease): Promise<boolean>;
  /** Writes down a round of attempts, and as the lease's holder what they mean for the endpoint. */
  record(lease: Lease, health: EndpointHealth, made: readonly { deliveryId: DeliveryId; body: string; attempt: Attempt }[]): Promise<void>;
  /** Gives the lease back; the endpoint is due again when its next delivery is, and not before `notBefore`. */
  release(lease: Lease, now: Timestamp, notBefore?: Timestamp): Promise<void>;
  /** Gives it back, with nothing to do until something happens: its website is gone. */
  retire(lease: Lease): Promise<void>;
}
