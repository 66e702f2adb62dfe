import type { EventType, PostStatus } from "@stet/contract";
import type { ActorRef } from "#domain/actor";
import type { EventId, MediaId, PostId, RevisionId, TermId, UserId, WebsiteId } from "#domain/ids";
import type { JsonObject } from "#domain/json";
import type { Timestamp } from "#domain/time";

interface Seo {
  readonly title: string | null;
  readonly description: string | null;
  readonly canonicalUrl: string | null;
  readonly ogImageUrl: string | null;
  readonly noindex: boolean;
}

/** The content that a writer writes. The working copy, the live copy and every revision hold one of these. */
export interface PostContent {
  readonly title: string;
  readonly slug: string;
  readonly excerpt: string;
  /** Markdown. */
  readonly body: string;
  readonly coverMediaId: MediaId | null;
  /** Overrides the image's own alt text for this post. */
  readonly coverAlt: string | null;
  readonly categoryIds: readonly TermId[];
  readonly tagIds: readonly TermId[];
  readonly authorIds: readonly TermId[];
  readonly featured: boolean;
  readonly seo: Seo;
  /** Values of the website's field definitions. */
  readonly fields: JsonObject;
  /** A publication date the writer chose; null = the moment of the first publication. */
  readonly publishedAt: Timestamp | null;
}

export interface Heading {
  readonly id: string;
  readonly depth: number;
  readonly text: string;
}

/** The renderer's output for a body. */
export interface Rendering {
  /** When the renderer's version rises, the body is rendered anew without the post changing. */
  readonly rendererVersion: number;
  readonly html: string;
  readonly headings: readonly Heading[];
  /** Plain text for search. */
  readonly text: string;
  readonly wordCount: number;
  readonly readingMinutes: number;
}

/** The only thing a key, the feed, the search or a webhook ever sees. Changes at Publish and Update, never at a save. */
export interface LiveCopy {
  readonly content: PostContent;
  readonly rendering: Rendering;
  /** Images it shows: see `mediaIdsOf`. */
  readonly mediaIds: readonly MediaId[];
  readonly publishedAt: Timestamp;
  /** The last change of the live copy. */
  readonly updatedAt: Timestamp;
}

/** The live copy as events carry it: small, without bodies; taxonomy by id, resolved when the event is presented. */
export interface PostSnapshot {
  readonly content: Omit<PostContent, "body">;
  readonly wordCount: number;
  readonly readingMinutes: number;
  readonly publishedAt: Timestamp;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

export interface PostEvent {
  readonly id: EventId;
  readonly type: EventType;
  readonly websiteId: WebsiteId;
  readonly postId: PostId;
  readonly at: Timestamp;
  readonly actor: ActorRef;
  /** The post's version after the change: tells a receiver which of two is newer. */
  readonly version: number;
  readonly status: PostStatus;
  /** The slug it had before, when the change renamed it. */
  readonly previousSlug: string | null;
  /** Which public fields changed. */
  readonly changed: readonly string[];
  /** Null for a deleted post that was never live: its content is nobody's business. */
  readonly post: PostSnapshot | null;
}

export const REVISION_KINDS = ["publish", "update", "save", "autosave", "restore"] as const;
export type RevisionKind = (typeof REVISION_KINDS)[number];

export interface RevisionHead {
  readonly id: RevisionId;
  readonly websiteId: WebsiteId;
  readonly postId: PostId;
  readonly kind: RevisionKind;
  /** The post's version that holds this content. */
  readonly version: number;
  readonly author: ActorRef;
  /** When a run of folded autosaves began; otherwise the same as `at`. */
  readonly startedAt: Timestamp;
  readonly at: Timestamp;
  /** Was once the live copy: never thinned away. */
  readonly wasLive: boolean;
}

export interface Revision extends RevisionHead {
  readonly content: PostContent;
}

/**
 * A post: one aggregate, saved in one atomic write with an expected version, in either engine. What must follow a save
 * (its event, its revision) travels inside it as pending, and is settled afterwards or by a sweep: a crash cannot part them.
 */
export interface Post {
  readonly id: PostId;
  readonly websiteId: WebsiteId;
  /** 1 at creation, one more with every save. */
  readonly version: number;
  readonly status: PostStatus;
  readonly working: PostContent;
  /** Images the working copy shows: see `mediaIdsOf`. */
  readonly workingMediaIds: readonly MediaId[];
  /** While true the slug follows the title; ends when the post goes live or someone sets the slug. */
  readonly slugFollowsTitle: boolean;
  /** The last live copy; visible only while the status is `published`. Null: never live. */
  readonly live: LiveCopy | null;
  /** True when the working copy differs from what is live (only while published). */
  readonly hasUnpublishedChanges: boolean;
  /** Every other slug it was ever live under: they redirect to it. */
  readonly pastSlugs: readonly string[];
  readonly ownerId: UserId | null;
  readonly createdAt: Timestamp;
  readonly editedAt: Timestamp;
  readonly editedBy: ActorRef;
  /** When it publishes itself; set exactly while `scheduled`. */
  readonly scheduledAt: Timestamp | null;
  readonly deletedAt: Timestamp | null;
  readonly review: { readonly requestedBy: ActorRef; readonly requestedAt: Timestamp; readonly note: string } | null;
  readonly pendingEvents: readonly PostEvent[];
  /** Its content is the working copy at this version. */
  readonly pendingRevision: Omit<RevisionHead, "websiteId" | "postId"> | null;
}

/** A post in the dashboard's and the tools' lists: everything but the bodies. */
export interface PostSummary extends Omit<Post, "working" | "live" | "pendingEvents" | "pendingRevision"> {
  readonly working: Omit<PostContent, "body">;
  readonly publishedAt: Timestamp | null;
  readonly updatedAt: Timestamp | null;
}

/** A published post as the delivery side reads it; `body` and rendered bodies only when one post is asked for. */
export interface LivePost {
  readonly id: PostId;
  readonly websiteId: WebsiteId;
  readonly createdAt: Timestamp;
  readonly publishedAt: Timestamp;
  readonly updatedAt: Timestamp;
  readonly content: Omit<PostContent, "body">;
  readonly mediaIds: readonly MediaId[];
  readonly wordCount: number;
  readonly readingMinutes: number;
}

export interface LivePostWithBody extends LivePost {
  /** Slugs that redirect here. A claim alone proves nothing: it may belong to an unpublished rename. */
  readonly pastSlugs: readonly string[];
  readonly body: string;
  readonly rendering: Rendering;
}
