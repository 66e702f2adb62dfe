import { z } from "zod";
import type { WebsiteId } from "#domain/ids";
import { eventBodies } from "#present/event-bodies";
import { websiteOperation } from "../kernel/operation.ts";

export interface EventPage {
  readonly websiteId: WebsiteId;
  /** As a webhook would carry them. */
  readonly events: readonly string[];
  /** Where to go on. */
  readonly after: number;
}

export const listEvents = websiteOperation({
  name: "list_events",
  summary: "List the events of a website after a position, oldest first; without one, return the current position.",
  permission: "webhook.read",
  input: { after: z.int().nonnegative().nullable().default(null), limit: z.int().min(1).max(100).default(50) },
  async run({ services, website, content }, { after, limit }): Promise<EventPage> {
    const { events } = services.platform;
    if (after === null) return { websiteId: website.id, events: [], after: (await events.last(website.id))?.sequence ?? 0 };
    const page = await events.list(website.id, after, limit);
    const source = {
      websiteId: website.id,
      content,
      websiteUrl: website.settings.publicUrl,
      publicUrl: services.settings.publicUrl,
      imageBase: website.imageBase,
    };
    return { websiteId: website.id, events: await eventBodies(source, website, page), after: page.at(-1)?.sequence ?? after };
  },
  activity: "none",
});
