import { z } from "zod";
import type { Website } from "#domain/website";
import type { LoggedEvent } from "#ports/platform";
import { websiteOperation } from "../kernel/operation.ts";

export interface EventPage {
  readonly website: Website;
  readonly events: readonly LoggedEvent[];
  /** Where to go on. */
  readonly after: number;
}

export const listEvents = websiteOperation({
  name: "list_events",
  summary: "List what happened to the posts of a website since a point, oldest first; without a point, say where now is.",
  permission: "webhook.read",
  input: { after: z.int().nonnegative().nullable().default(null), limit: z.int().min(1).max(100).default(50) },
  async run({ services, website }, { after, limit }): Promise<EventPage> {
    const { events } = services.platform;
    if (after === null) return { website, events: [], after: (await events.last(website.id))?.sequence ?? 0 };
    const page = await events.list(website.id, after, limit);
    return { website, events: page, after: page.at(-1)?.sequence ?? after };
  },
  activity: "none",
});
