import { POST_STATUSES } from "@stet/contract";
import { z } from "zod";
import { fail, invalid } from "#domain/failure";
import { headOf as headOfPost, type PostHead } from "#domain/post-head";
import { type Timestamp, timestamp } from "#domain/time";
import { pathOf, quoted } from "./content.ts";

// Words that many tools share, described once each. Descriptions are read by models with every conversation: they are short.

// The operations check ids and cursors: there is no second check here.

export const website = z.string().optional().describe("Website id or name; leave out if there is only one");
export const post = z.string().describe("Post id (post_01h…) or slug");
export const expectedVersion = z.int().positive().describe("`version` from your last read; a stale one is refused");
export const paging = {
  limit: z.int().min(1).max(100).optional().describe("Default 20"),
  cursor: z.string().optional().describe("nextCursor of the previous page"),
};
/** Smaller than the API's: a page stays in the context of a model for the rest of its conversation. */
export const PAGE = 20;

const moment = z.string().nullable();
export const nextCursor = z.string().nullable();

/** A post without its text. */
export const postHead = z.object({
  id: z.string(),
  title: z.string(),
  slug: z.string(),
  status: z.enum(POST_STATUSES),
  version: z.int(),
  editedAt: z.string(),
  publishedAt: moment,
  scheduledAt: moment,
  hasUnpublishedChanges: z.boolean(),
  waitsForReview: z.boolean(),
});
/** The answer of every tool that changes a post. */
export const changedPost = { post: postHead };

/** Whose it is, a model is not told: it could do nothing with the id. */
export const shownHead = ({ ownerId: _, ...head }: PostHead): z.infer<typeof postHead> => head;
export function headOf(view: Parameters<typeof headOfPost>[0] & { readonly suggestion?: object }): z.infer<typeof postHead> {
  const head = shownHead(headOfPost(view));
  return { ...head, waitsForReview: head.waitsForReview || view.suggestion !== undefined };
}

/** One line about a post: what a model needs to choose one, and to write to it. */
export function lineOf(head: z.infer<typeof postHead>): string {
  const when = head.status === "published" ? ` ${head.publishedAt?.slice(0, 10)}` : `, edited ${head.editedAt.slice(0, 10)}`;
  const more = [
    head.scheduledAt && `will publish ${head.scheduledAt}`,
    head.hasUnpublishedChanges && "has unpublished changes",
    head.waitsForReview && "waiting for review",
  ].filter(Boolean);
  return `${head.id} v${head.version} ${head.status}${when} ${quoted(head.title)} ${pathOf(head.slug)}${more.length > 0 ? ` (${more.join(", ")})` : ""}`;
}

/** The lines of a list, and how to read on. */
export function listText(lines: readonly string[], next: string | null, none: string): string {
  if (lines.length === 0 && next === null) return none;
  return `${lines.length === 0 ? "No results so far." : lines.join("\n")}${next === null ? "" : `\nMore: call again with cursor ${next}`}`;
}

/** A moment in any ISO 8601 form that says its offset; a time without one could mean anywhere. */
export function momentOf(field: string, text: string): Timestamp {
  const isClear = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/.test(text);
  if (!isClear || Number.isNaN(Date.parse(text))) {
    throw invalid([{ field, message: "must be a time with an offset, such as 2026-11-15T09:30:00Z or 2026-11-15T10:30:00+01:00" }]);
  }
  return timestamp(Date.parse(text));
}

/** A call that changes nothing is a mistake, and would make a version that says nothing. */
export function requireChange(given: object): void {
  if (Object.keys(given).length === 0) throw fail("VALIDATION_FAILED", "Nothing to change. Set at least one field.");
}

export function requireOne(given: Record<string, unknown>, names: readonly string[]): void {
  const present = names.filter((name) => given[name] !== undefined);
  if (present.length === 1) return;
  throw fail(
    "VALIDATION_FAILED",
    `Give exactly one of ${names.join(" and ")}. ${present.length === 0 ? "None was given." : "Both were given."}`,
  );
}
