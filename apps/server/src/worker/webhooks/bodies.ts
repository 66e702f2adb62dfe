import type { DeliveryId } from "#domain/ids";
import type { Website } from "#domain/website";
import type { Services } from "#operations/kernel/services";
import type { Waiting } from "#ports/webhooks";
import { eventBodies } from "#present/event-bodies";

/** The body of each delivery. It is made before the first attempt and kept: every attempt sends the same bytes. */
export async function bodiesOf(services: Services, website: Website, deliveries: readonly Waiting[]): Promise<Map<DeliveryId, string>> {
  const kept = deliveries.flatMap(({ id, body }) => (body === null ? [] : [[id, body] as const]));
  const missing = deliveries.flatMap(({ id, body, event, coalesced }) => (body === null && event ? [{ id, event, coalesced }] : []));
  const source = { websiteId: website.id, content: services.contentOf(website), publicUrl: services.settings.publicUrl };
  const made = await eventBodies(source, website, missing);
  return new Map([...kept, ...missing.map(({ id }, index) => [id, made[index]!] as const)]);
}
