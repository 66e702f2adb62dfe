import { invalid } from "#domain/failure";
import { DAY, millis } from "#domain/time";
import type { DatedPost } from "#ports/content-store";
import { moment } from "../kernel/inputs.ts";
import { websiteOperation } from "../kernel/operation.ts";
import { ownView } from "./list-posts.ts";

const MOST_DAYS = 62;
const MOST_POSTS = 500;

export interface CalendarAnswer {
  /** Earliest first. */
  readonly items: readonly DatedPost[];
  /** True when there are more in this time than are shown. */
  readonly isCut: boolean;
}

export const listCalendar = websiteOperation({
  name: "list_calendar",
  summary: "List scheduled and published posts between two times, up to 62 days apart.",
  permission: "post.read",
  input: { from: moment, to: moment },
  async run(context, { from, to }): Promise<CalendarAnswer> {
    const span = millis(to) - millis(from);
    if (span <= 0) throw invalid([{ field: "to", message: "must be after `from`" }]);
    if (span > MOST_DAYS * DAY) throw invalid([{ field: "to", message: `must be at most ${MOST_DAYS} days after \`from\`` }]);
    const rows = await context.content.posts.listDated(context.website.id, {
      statuses: ["scheduled", "published"],
      from,
      to,
      limit: MOST_POSTS + 1,
      ...ownView(context),
    });
    return { items: rows.slice(0, MOST_POSTS), isCut: rows.length > MOST_POSTS };
  },
  activity: "none",
});
