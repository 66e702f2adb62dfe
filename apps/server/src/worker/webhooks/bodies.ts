import { presentPosts } from "#present/posts";
import type { DeliveryId } from "#domain/ids";
import { webhookBody } from "#domain/webhook-body";
import type { Website } from "#domain/website";
import type { Services } from "#operations/kernel/services";
import type { Waiting } from "#ports/webhooks";

/**
 * What each delivery says. Made before its first attempt and kept: every attempt sends the same bytes. Posts are shown as the API shows
 * them, with one look-up for all.
 */
export async function bodiesOf(services: Services, website: Website, deliveries: readonly Waiting[]): Promise<Map<DeliveryId, string>> {
  const bodies = new Map<DeliveryId, string>();
  const shown: { delivery: Waiting; event: NonNullable<Waiting["event"]> }[] = [];
  for (const delivery of deliveries) {
    const { body, event } = delivery;
    if (body !== null) bodies.set(delivery.id, body);
    else if (event?.post) shown.push({ delivery, event });
    else if (event) bodies.set(delivery.id, webhookBody(event, website, null, delivery.coalesced));
  }
  const place = { websiteId: website.id, content: services.contentOf(website), publicUrl: services.settings.publicUrl };
  const posts = await presentPosts(
    place,
    shown.map(({ event }) => ({ ...event.post!, id: event.postId })),
  );
  for (const [index, { delivery, event }] of shown.entries()) {
    bodies.set(delivery.id, webhookBody(event, website, posts[index]!, delivery.coalesced));
  }
  return bodies;
}
