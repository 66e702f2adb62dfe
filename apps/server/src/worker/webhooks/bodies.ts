import type { DeliveryId } from "#domain/ids";
import type { Website } from "#domain/website";
import type { Services } from "#operations/kernel/services";
import type { Waiting } from "#ports/webhooks";
import { eventBodies } from "#present/event-bodies";

/** The body of each delivery, as far as it can be had now. It is made before the first attempt and kept: every attempt sends the same bytes. */
export async function bodiesOf(services: Services, website: Website, deliveries: readonly Waiting[]): Promise<Map<DeliveryId, string>> {
  const kept = deliveries.flatMap(({ id, body }) => (body === null ? [] : [[id, body] as const]));
  const missing = deliveries.flatMap(({ id, body, event, coalesced }) => (body === null && event ? [{ id, event, coalesced }] : []));
  if (missing.length === 0) return new Map(kept);
  const { imageBase, settings } = website;
  const urls = { websiteUrl: settings.publicUrl, publicUrl: services.settings.publicUrl, imageBase };
  const making = services.contents.withContent(website, (content) =>
    eventBodies({ websiteId: website.id, content, ...urls }, website, missing),
  );
  const made = await making.catch((error: unknown) => {
    // A test, and what was tried before, does not wait for a content store that is away.
    if (kept.length === 0) throw error;
    return [];
  });
  return new Map([...kept, ...made.map((body, index) => [missing[index]!.id, body] as const)]);
}
