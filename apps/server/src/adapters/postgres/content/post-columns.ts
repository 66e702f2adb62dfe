import { hash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { facetsOf, FEATURED } from "#domain/facets";
import { fold } from "#domain/fold";
import type { Post, PostContent, Rendering } from "#domain/post";
import { type Fragment, raw, sql } from "./sql.ts";

/** Posts that are not featured are a list of their own, so that it too is read by index. Not an id: they never collide. */
export const UNFEATURED = "unfeatured";

/** The value of working_facets for a post. */
export const workingFacets = (post: Post): readonly string[] => facetsOf(post.working, post.workingMediaIds);

/** The value of live_facets for a post: empty unless published. */
export function liveFacets(post: Post): readonly string[] {
  if (post.status !== "published" || !post.live) return [];
  const facets = facetsOf(post.live.content, post.live.mediaIds);
  return facets.includes(FEATURED) ? facets : [...facets, UNFEATURED];
}

export const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

export function withoutBody({ body: _body, ...rest }: PostContent): Omit<PostContent, "body"> {
  return rest;
}

/** What writing changes, but the big text: the rest of a row changes when a post is published, moved or filed elsewhere. */
export const editedColumns = (post: Post): Record<string, unknown> => ({
  version: post.version,
  edited_at: post.editedAt,
  edited_by: json(post.editedBy),
  edited_by_tool: post.editedBy.type === "tool",
  review: json(post.review),
  slug_follows_title: post.slugFollowsTitle,
  has_unpublished_changes: post.hasUnpublishedChanges,
  title_key: fold(post.working.title),
  working: json(withoutBody(post.working)),
  working_media_ids: post.workingMediaIds,
});

/** True when the rest of the row is as it was. */
export const isEditedOnly = (before: Post, post: Post): boolean =>
  before.live === post.live &&
  before.status === post.status &&
  before.ownerId === post.ownerId &&
  before.createdAt === post.createdAt &&
  before.scheduledAt === post.scheduledAt &&
  before.deletedAt === post.deletedAt &&
  before.pastSlugs === post.pastSlugs &&
  isDeepStrictEqual(workingFacets(before), workingFacets(post));

/** Everything but the big texts. */
export function smallColumns(post: Post): Record<string, unknown> {
  const { live, pendingRevision } = post;
  return {
    ...editedColumns(post),
    status: post.status,
    owner_id: post.ownerId,
    created_at: post.createdAt,
    scheduled_at: post.scheduledAt,
    deleted_at: post.deletedAt,
    past_slugs: post.pastSlugs,
    working_facets: workingFacets(post),
    live: live && json(withoutBody(live.content)),
    live_media_ids: live && live.mediaIds,
    live_published_at: live && live.publishedAt,
    live_updated_at: live && live.updatedAt,
    live_title_key: live && fold(live.content.title),
    live_facets: liveFacets(post),
    ...renderingColumns(live && live.rendering),
    pending_events: post.pendingEvents.map(json),
    pending_event_ids: post.pendingEvents.map((event) => event.id),
    pending_revision: json(pendingRevision),
    pending_revision_id: pendingRevision && pendingRevision.id,
    pending_revision_version: pendingRevision && pendingRevision.version,
  };
}

/** The small columns of a rendering. */
export const renderingColumns = (rendering: Rendering | null): Record<string, unknown> => ({
  live_word_count: rendering && rendering.wordCount,
  live_reading_minutes: rendering && rendering.readingMinutes,
  live_renderer_version: rendering && rendering.rendererVersion,
  live_headings: rendering && json(rendering.headings),
});

/** A column of text, and the column that holds the fingerprint by which it is known to be unchanged. */
interface BigText {
  readonly column: string;
  readonly printColumn: string;
  readonly text: string | null;
  readonly print: string | null;
}

const printOf = (text: string): string => hash("sha256", text, "base64url");

export function renderingTexts(rendering: Rendering | null): readonly BigText[] {
  const print = rendering && `${printOf(rendering.html)} ${printOf(rendering.text)}`;
  const printColumn = "live_rendering_print";
  return [
    { column: "live_html", printColumn, text: rendering && rendering.html, print },
    { column: "live_text", printColumn, text: rendering && rendering.text, print },
  ];
}

export const workingText = ({ working }: Post): BigText => ({
  column: "working_body",
  printColumn: "working_body_print",
  text: working.body,
  print: printOf(working.body),
});

export function bigTexts(post: Post): readonly BigText[] {
  const { live } = post;
  return [
    workingText(post),
    { column: "live_body", printColumn: "live_body_print", text: live && live.content.body, print: live && printOf(live.content.body) },
    ...renderingTexts(live && live.rendering),
  ];
}

/** As they are, for a new row. */
export const textColumns = (texts: readonly BigText[]): Record<string, unknown> =>
  Object.fromEntries(
    texts.flatMap(({ column, printColumn, text, print }) => [
      [column, text],
      [printColumn, print],
    ]),
  );

/** For an existing row: a text whose fingerprint is the stored one is left where it lies, so that an autosave does not rewrite it. */
export function changedTextColumns(texts: readonly BigText[]): Record<string, Fragment | string | null> {
  return Object.fromEntries(
    texts.flatMap(({ column, printColumn, text, print }) => [
      [column, sql`CASE WHEN posts.${raw(printColumn)} = ${print} THEN posts.${raw(column)} ELSE ${text} END`],
      [printColumn, print],
    ]),
  );
}
