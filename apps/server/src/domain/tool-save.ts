import { createHash } from "node:crypto";
import type { PostStatus } from "@stet/contract";
import type { GrantId, PostId, WebsiteId } from "#domain/ids";
import type { Post, PostContent } from "#domain/post";
import type { Timestamp } from "#domain/time";

/** The state of a post at a version, without its content: fingerprints find that in the history. */
export interface PostState {
  readonly status: PostStatus;
  readonly scheduledAt: Timestamp | null;
  readonly deletedAt: Timestamp | null;
  readonly slugFollowsTitle: boolean;
  readonly review: Post["review"];
  /** Fingerprint of the working copy. */
  readonly working: string;
  /** Of the live copy; null: never live. */
  readonly live: { readonly content: string; readonly publishedAt: Timestamp } | null;
}

/** One save of a post that a connected tool made, or that set its changes back. */
export interface ToolSave {
  readonly websiteId: WebsiteId;
  readonly postId: PostId;
  readonly connectionId: GrantId;
  /** The post's version before; 0: the save created it. */
  readonly version: number;
  /** The connection's id, or that of the person who set it back. */
  readonly actorId: string;
  readonly at: Timestamp;
  /** Known to have been made. It is written down before, so one that is not may still have been. */
  readonly saved: boolean;
  /** The state of the post at that version; null: it did not exist. */
  readonly state: PostState | null;
}

export const stateOf = (post: Post): PostState => ({
  status: post.status,
  scheduledAt: post.scheduledAt,
  deletedAt: post.deletedAt,
  slugFollowsTitle: post.slugFollowsTitle,
  review: post.review,
  working: fingerprint(post.working),
  live: post.live && { content: fingerprint(post.live.content), publishedAt: post.live.publishedAt },
});

/**
 * The same for two states that are the same to writers and readers. The trash leads back to the drafts only, and what is trashed again has a new
 * day, so those differences count for nothing. A post that a tool made (`isMade`) is in the trash as if it had never been there.
 */
export function sameness(state: PostState | null, isMade: boolean): string {
  if (state === null || (state.status === "deleted" && isMade)) return "not there";
  const place = state.status === "unpublished" ? "draft" : state.status;
  const shown = state.status === "published" && state.live ? [state.live.content, state.live.publishedAt] : null;
  return JSON.stringify([place, state.working, state.scheduledAt, shown, state.review]);
}

/** The same for the same content, from whichever engine it was read. */
export const fingerprint = (content: PostContent): string =>
  createHash("sha256")
    .update(JSON.stringify(ordered(content)))
    .digest("base64url");

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, inner]) => [key, ordered(inner)]);
}
