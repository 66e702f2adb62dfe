import { isDeepStrictEqual } from "node:util";
import type { EventType } from "@stet/contract";
import type { ActorRef } from "#domain/actor";
import { fail } from "#domain/failure";
import { type MediaId, newId, type PostId, type UserId, type WebsiteId } from "#domain/ids";
import type { LiveCopy, Post, PostContent, PostEvent, PostSnapshot, Rendering, RevisionHead, RevisionKind } from "#domain/post";
import { MINUTE, millis, type Timestamp } from "#domain/time";
import { transition } from "#domain/transitions";

/** Who does it, and when. */
export interface Deed {
  readonly by: ActorRef;
  readonly now: Timestamp;
}

/** Autosaves of one author within this time are one revision. */
const FOLD_MILLIS = 10 * MINUTE;

export interface Draft {
  readonly id: PostId;
  readonly websiteId: WebsiteId;
  readonly ownerId: UserId | null;
  readonly working: PostContent;
  readonly workingMediaIds: readonly MediaId[];
  readonly slugFollowsTitle: boolean;
}

export function createDraft(draft: Draft, deed: Deed): Post {
  return {
    ...draft,
    version: 1,
    status: "draft",
    live: null,
    hasUnpublishedChanges: false,
    pastSlugs: [],
    createdAt: deed.now,
    editedAt: deed.now,
    editedBy: deed.by,
    scheduledAt: null,
    deletedAt: null,
    review: null,
    pendingEvents: [],
    pendingRevision: newRevision("save", 1, deed),
  };
}

export interface Edit {
  readonly working: PostContent;
  readonly workingMediaIds: readonly MediaId[];
  readonly slugFollowsTitle: boolean;
  readonly kind: Extract<RevisionKind, "save" | "autosave" | "restore">;
  /** The newest revision, into which an autosave may fold. */
  readonly latest: RevisionHead | null;
}

export function requireEditable(post: Post): void {
  if (post.status !== "deleted") return;
  throw fail("INVALID_TRANSITION", "A post in the trash cannot be edited. Restore it first.", { status: post.status, action: "edit" });
}

export function edit(post: Post, change: Edit, deed: Deed): Post {
  requireEditable(post);
  const version = post.version + 1;
  return {
    ...post,
    version,
    working: change.working,
    workingMediaIds: change.workingMediaIds,
    slugFollowsTitle: change.slugFollowsTitle,
    hasUnpublishedChanges: differs(post.status === "published" ? post.live : null, change.working),
    editedAt: deed.now,
    editedBy: deed.by,
    pendingRevision: change.kind === "autosave" ? foldedAutosave(change.latest, version, deed) : newRevision(change.kind, version, deed),
  };
}

/** Publish, and Update of what is live: the working copy becomes the live copy. */
export function goLive(post: Post, action: "publish" | "update", rendering: Rendering, deed: Deed): Post {
  const { event } = transition(post.status, action);
  const before = post.live;
  const live: LiveCopy = {
    content: post.working,
    rendering,
    mediaIds: post.workingMediaIds,
    // The first publication stays the date, through unpublishing and updates, unless the writer chose one.
    publishedAt: post.working.publishedAt ?? before?.publishedAt ?? dueDate(post, deed.now),
    updatedAt: deed.now,
  };
  const slug = live.content.slug;
  const next: Post = {
    ...post,
    version: post.version + 1,
    status: "published",
    live,
    hasUnpublishedChanges: false,
    slugFollowsTitle: false,
    pastSlugs: [...new Set([...post.pastSlugs, ...(before ? [before.content.slug] : [])])].filter((past) => past !== slug),
    scheduledAt: null,
    review: null,
    pendingRevision: newRevision(action, post.version + 1, deed, true),
  };
  return withEvent(next, event, deed, before);
}

/** A scheduled post carries the moment it was meant for, even when the service was down then. */
function dueDate(post: Post, now: Timestamp): Timestamp {
  return post.scheduledAt !== null && post.scheduledAt < now ? post.scheduledAt : now;
}

export function schedule(post: Post, at: Timestamp, deed: Deed): Post {
  transition(post.status, "schedule");
  return { ...post, version: post.version + 1, status: "scheduled", scheduledAt: at, review: null, editedAt: deed.now, editedBy: deed.by };
}

/** Takes a published post off the site, or a scheduled one back to the drafts. */
export function unpublish(post: Post, deed: Deed): Post {
  const { to, event } = transition(post.status, "unpublish");
  const next: Post = { ...post, version: post.version + 1, status: to ?? post.status, scheduledAt: null, hasUnpublishedChanges: false };
  return withEvent(next, event, deed, post.live);
}

export function moveToTrash(post: Post, deed: Deed): Post {
  const { event } = transition(post.status, "delete");
  const next: Post = {
    ...post,
    version: post.version + 1,
    status: "deleted",
    scheduledAt: null,
    deletedAt: deed.now,
    review: null,
    hasUnpublishedChanges: false,
  };
  return withEvent(next, event, deed, post.live);
}

export function restoreFromTrash(post: Post, deed: Deed): Post {
  transition(post.status, "restore");
  return { ...post, version: post.version + 1, status: "draft", deletedAt: null, editedAt: deed.now, editedBy: deed.by };
}

/** Slugs that must stay this post's: the one being written, the live one, and those that redirect to it. */
export function slugsOf(post: Post): ReadonlySet<string> {
  return new Set([post.working.slug, ...(post.live ? [post.live.content.slug] : []), ...post.pastSlugs]);
}

/** Whether the change from one to the other can be seen with a key. */
export function isVisibleChange(before: Post | null, after: Post): boolean {
  if (before?.status !== "published" && after.status !== "published") return false;
  return before?.status !== after.status || before.live !== after.live || !isDeepStrictEqual(before.pastSlugs, after.pastSlugs);
}

export const differs = (live: LiveCopy | null, working: PostContent): boolean => live !== null && !isDeepStrictEqual(live.content, working);

function withEvent(next: Post, type: EventType | null, deed: Deed, before: LiveCopy | null): Post {
  if (type === null) return next;
  const event: PostEvent = {
    id: newId("event", millis(deed.now)),
    type,
    websiteId: next.websiteId,
    postId: next.id,
    at: deed.now,
    actor: deed.by,
    version: next.version,
    status: next.status,
    previousSlug: before && next.live && before.content.slug !== next.live.content.slug ? before.content.slug : null,
    changed: changedFields(before, next.live),
    post: next.live ? snapshot(next, next.live) : null,
  };
  return { ...next, pendingEvents: [...next.pendingEvents, event] };
}

function snapshot(post: Post, live: LiveCopy): PostSnapshot {
  const { body: _, ...content } = live.content;
  const { wordCount, readingMinutes } = live.rendering;
  return { content, wordCount, readingMinutes, publishedAt: live.publishedAt, createdAt: post.createdAt, updatedAt: live.updatedAt };
}

/** Public field names, each with the parts of the content it is made of. */
const PUBLIC_FIELDS: Readonly<Record<string, readonly (keyof PostContent)[]>> = {
  slug: ["slug"],
  title: ["title"],
  excerpt: ["excerpt"],
  coverImage: ["coverMediaId", "coverAlt"],
  categories: ["categoryIds"],
  tags: ["tagIds"],
  authors: ["authorIds"],
  featured: ["featured"],
  seo: ["seo"],
  fields: ["fields"],
  body: ["body"],
};

function changedFields(before: LiveCopy | null, after: LiveCopy | null): readonly string[] {
  if (!before || !after) return [];
  const changed = Object.entries(PUBLIC_FIELDS)
    .filter(([, parts]) => parts.some((part) => !isDeepStrictEqual(before.content[part], after.content[part])))
    .map(([field]) => field);
  return before.publishedAt === after.publishedAt ? changed : [...changed, "publishedAt"];
}

type PendingRevision = NonNullable<Post["pendingRevision"]>;

function newRevision(kind: RevisionKind, version: number, deed: Deed, wasLive = false): PendingRevision {
  return { id: newId("revision", millis(deed.now)), kind, version, author: deed.by, startedAt: deed.now, at: deed.now, wasLive };
}

function foldedAutosave(latest: RevisionHead | null, version: number, deed: Deed): PendingRevision {
  const folds = latest?.kind === "autosave" && latest.author.id === deed.by.id && millis(deed.now) - millis(latest.startedAt) < FOLD_MILLIS;
  const fresh = newRevision("autosave", version, deed);
  return folds ? { ...fresh, id: latest.id, startedAt: latest.startedAt } : fresh;
}
