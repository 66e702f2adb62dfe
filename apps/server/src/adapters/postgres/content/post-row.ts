import type { LiveCopy, LivePost, LivePostWithBody, Post, PostContent, PostEvent, PostSummary, Rendering } from "#domain/post";
import type { PostHead } from "#domain/post-head";
import { raw, sql } from "./sql.ts";

type SmallContent = Omit<PostContent, "body">;

export const SUMMARY_COLUMNS =
  raw(`website_id, id, version, status, owner_id, created_at, edited_at, edited_by, scheduled_at, deleted_at, review,
  slug_follows_title, has_unpublished_changes, past_slugs, working, working_media_ids, live_published_at, live_updated_at`);
export const HEAD_COLUMNS = raw(`id, title, slug, status, version, edited_at, live_published_at, scheduled_at, has_unpublished_changes,
  review IS NOT NULL AS waits_for_review, owner_id`);
export const LIVE_COLUMNS = raw(
  "website_id, id, created_at, live_published_at, live_updated_at, live, live_media_ids, live_word_count, live_reading_minutes",
);
export const LIVE_BODY_COLUMNS = sql`${LIVE_COLUMNS}, past_slugs, live_body, live_html, live_text, live_headings, live_renderer_version`;
export const POST_COLUMNS = sql`${SUMMARY_COLUMNS}, working_body, live, live_media_ids, live_word_count, live_reading_minutes,
  live_body, live_html, live_text, live_headings, live_renderer_version, pending_events, pending_revision`;

export interface SummaryRow {
  website_id: Post["websiteId"];
  id: Post["id"];
  version: number;
  status: Post["status"];
  owner_id: Post["ownerId"];
  created_at: Post["createdAt"];
  edited_at: Post["editedAt"];
  edited_by: Post["editedBy"];
  scheduled_at: Post["scheduledAt"];
  deleted_at: Post["deletedAt"];
  review: Post["review"];
  slug_follows_title: boolean;
  has_unpublished_changes: boolean;
  past_slugs: string[];
  working: SmallContent;
  working_media_ids: Post["workingMediaIds"];
  live_published_at: Post["createdAt"] | null;
  live_updated_at: Post["createdAt"] | null;
}

export interface HeadRow extends Pick<
  SummaryRow,
  "id" | "status" | "version" | "edited_at" | "live_published_at" | "scheduled_at" | "has_unpublished_changes" | "owner_id"
> {
  title: string;
  slug: string;
  waits_for_review: boolean;
}

export interface LiveRow {
  website_id: Post["websiteId"];
  id: Post["id"];
  created_at: Post["createdAt"];
  live_published_at: Post["createdAt"];
  live_updated_at: Post["createdAt"];
  live: SmallContent;
  live_media_ids: LiveCopy["mediaIds"];
  live_word_count: number;
  live_reading_minutes: number;
}

interface LiveBodyColumns {
  live_body: string;
  live_html: string;
  live_text: string;
  live_headings: Rendering["headings"];
  live_renderer_version: number;
}
export type LiveBodyRow = LiveRow & LiveBodyColumns & { past_slugs: string[] };

type Nullable<T> = { [K in keyof T]: T[K] | null };
export interface PostRow extends SummaryRow, Nullable<LiveBodyColumns> {
  working_body: string;
  live: SmallContent | null;
  live_media_ids: LiveCopy["mediaIds"] | null;
  live_word_count: number | null;
  live_reading_minutes: number | null;
  pending_events: PostEvent[];
  pending_revision: Post["pendingRevision"];
}

function sharedOf(row: SummaryRow) {
  return {
    id: row.id,
    websiteId: row.website_id,
    version: row.version,
    status: row.status,
    workingMediaIds: row.working_media_ids,
    slugFollowsTitle: row.slug_follows_title,
    hasUnpublishedChanges: row.has_unpublished_changes,
    pastSlugs: row.past_slugs,
    ownerId: row.owner_id,
    createdAt: row.created_at,
    editedAt: row.edited_at,
    editedBy: row.edited_by,
    scheduledAt: row.scheduled_at,
    deletedAt: row.deleted_at,
    review: row.review,
  };
}

export const summaryOf = (row: SummaryRow): PostSummary => ({
  ...sharedOf(row),
  working: row.working,
  publishedAt: row.live_published_at,
  updatedAt: row.live_updated_at,
});

export const headOf = (row: HeadRow): PostHead => ({
  id: row.id,
  title: row.title,
  slug: row.slug,
  status: row.status,
  version: row.version,
  editedAt: row.edited_at,
  publishedAt: row.live_published_at,
  scheduledAt: row.scheduled_at,
  hasUnpublishedChanges: row.has_unpublished_changes,
  waitsForReview: row.waits_for_review,
  ownerId: row.owner_id,
});

export const postOf = (row: PostRow): Post => ({
  ...sharedOf(row),
  working: { ...row.working, body: row.working_body },
  live: row.live === null ? null : liveCopyOf(row as LiveBodyRow),
  pendingEvents: row.pending_events,
  pendingRevision: row.pending_revision,
});

const renderingOf = (row: LiveBodyRow): Rendering => ({
  rendererVersion: row.live_renderer_version,
  html: row.live_html,
  headings: row.live_headings,
  text: row.live_text,
  wordCount: row.live_word_count,
  readingMinutes: row.live_reading_minutes,
});

const liveCopyOf = (row: LiveBodyRow): LiveCopy => ({
  content: { ...row.live, body: row.live_body },
  rendering: renderingOf(row),
  mediaIds: row.live_media_ids,
  publishedAt: row.live_published_at,
  updatedAt: row.live_updated_at,
});

export const livePostOf = (row: LiveRow): LivePost => ({
  id: row.id,
  websiteId: row.website_id,
  createdAt: row.created_at,
  publishedAt: row.live_published_at,
  updatedAt: row.live_updated_at,
  content: row.live,
  mediaIds: row.live_media_ids,
  wordCount: row.live_word_count,
  readingMinutes: row.live_reading_minutes,
});

export const livePostWithBodyOf = (row: LiveBodyRow): LivePostWithBody => ({
  ...livePostOf(row),
  pastSlugs: row.past_slugs,
  body: row.live_body,
  rendering: renderingOf(row),
});
