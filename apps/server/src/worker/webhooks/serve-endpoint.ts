import type { DeliveryId } from "#domain/ids";
import { SECOND, timestamp } from "#domain/time";
import type { Attempt, Webhook } from "#domain/webhook";
import { TEST_EVENT } from "@stet/contract";
import { healthAfter, type EndpointHealth } from "#domain/webhook-health";
import type { Website } from "#domain/website";
import type { Services } from "#operations/kernel/services";
import type { Lease, Waiting } from "#ports/webhooks";
import { attempt, secretsOf } from "./attempt.ts";
import { bodiesOf } from "./bodies.ts";

/** Longer than a round can take: 15 seconds of sending, and the statements around it. Renewed with every round. */
export const LEASE_SECONDS = 30;
/** Then others get their turn; it stands in line again at once. */
const ROUNDS = 20;
/** For so long after they were taken nobody else can have taken them, too. */
const SURE_MILLIS = (LEASE_SECONDS * SECOND) / 2;
/** When nothing could be sent through no fault of the receiver, such as a content store that does not answer. */
const PAUSE_MILLIS = 15 * SECOND;

export interface Serving {
  readonly services: Services;
  readonly random: () => number;
  /** How many deliveries to one endpoint are under way at once. */
  readonly atOnce: number;
  /** Ends what is under way when the process stops. */
  readonly signal: AbortSignal;
  isStopping(): boolean;
}

/** Sends what waits for one endpoint, round by round, until nothing is ready; then gives the lease back. */
export async function serveEndpoint(serving: Serving, lease: Lease): Promise<void> {
  const { webhooks, platform, clock } = serving.services;
  const now = () => timestamp(clock());
  for (let round = 0; round < ROUNDS && !serving.isStopping(); round++) {
    const at = clock();
    const [taken, website] = await Promise.all([
      webhooks.take(lease, timestamp(at), LEASE_SECONDS, serving.atOnce),
      platform.websites.get(lease.websiteId),
    ]);
    // Lost: someone else serves it by now.
    if (!taken) return;
    const { webhook, deliveries } = taken;
    if (deliveries.length === 0) break;
    if (!website) return webhooks.retire(lease);
    // After a process stood still, or waited long for a customer's database, another node may have sent these and what came after them.
    const isMine = async () => clock().getTime() - at.getTime() < SURE_MILLIS || webhooks.counts(lease);
    const made = await sendAll(serving, website, webhook, deliveries, isMine);
    if (made === null) return webhooks.release(lease, now(), timestamp(clock().getTime() + PAUSE_MILLIS));
    if (made.length === 0) break;
    const health = healthAfter(
      webhook,
      made.map(({ delivery, attempt: last }) => ({
        deliveryId: delivery.id,
        tries: delivery.tries,
        isTest: delivery.eventType === TEST_EVENT,
        attempt: last,
      })),
      clock(),
      serving.random,
    );
    // Told before it is written down: a crash in between tells it again, under the same key.
    if (health.notice && (await webhooks.counts(lease))) await tellOwner(serving.services, website, webhook, health);
    await webhooks.record(
      lease,
      health,
      made.map(({ delivery, body, attempt: last }) => ({ deliveryId: delivery.id, body, attempt: last })),
    );
  }
  await webhooks.release(lease, now());
}

interface Made {
  readonly delivery: Waiting;
  readonly body: string;
  readonly attempt: Attempt;
}

/** Null when they could not be prepared. Without those that were ended from here, or are another node's by now: they count as not tried. */
async function sendAll(
  { services, signal }: Serving,
  website: Website,
  webhook: Webhook,
  deliveries: readonly Waiting[],
  isMine: () => Promise<boolean>,
): Promise<readonly Made[] | null> {
  let bodies: Map<DeliveryId, string>;
  let secrets: readonly string[];
  try {
    secrets = secretsOf(services, webhook);
    bodies = await bodiesOf(services, website, deliveries);
  } catch (error) {
    services.onTrouble(`What waits for ${webhook.id} could not be prepared; it is tried again`, error);
    return null;
  }
  if (!(await isMine())) return [];
  const all = deliveries.map(async (delivery): Promise<Made | null> => {
    const body = bodies.get(delivery.id);
    if (body === undefined) return null;
    try {
      return { delivery, body, attempt: await attempt(services, { webhook, delivery, body, secrets }, signal) };
    } catch (error) {
      if (signal.aborted) return null;
      throw error;
    }
  });
  return (await Promise.all(all)).filter((made) => made !== null);
}

async function tellOwner({ notices, clock }: Services, website: Website, webhook: Webhook, health: EndpointHealth): Promise<void> {
  const since = health.failingSince ?? timestamp(clock());
  await notices.tell({
    workspaceId: website.workspaceId,
    websiteId: website.id,
    job: "webhooks",
    at: timestamp(clock()),
    kind: health.notice === "off" ? "webhook_switched_off" : "webhook_failing",
    target: { id: webhook.id, label: webhook.url },
    details: { failures: health.failures, since, reason: health.offReason },
    key: `${webhook.id}:${since}`,
  });
}
