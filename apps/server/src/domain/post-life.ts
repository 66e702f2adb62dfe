import { isDeepStrictEqual } from "node:util";
import type { EventType } from "@stet/contract";
import type { ActorRef } from "#domain/actor";
import { fail } from "#domain/failure";
import { type MediaId, newId, type PostId, type UserId, type WebsiteId } from "#domain/ids";
import type { LiveCopy, Post, PostContent, PostEvent, PostSnapshot, Rendering, RevisionHead, RevisionKind } from "#domain/post";
import { MINUTE, millis, type Timestamp } from "#domain/time";
import { transition } from "#domain/transitions";

/** The actor of a change, and its time. */
export interface Authorship {
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

export function createDraft(draft: Draft, authorship: Authorship): Post {
  return {
    ...draft,
    version: 1,
    status: "draft",
    live: null,
    hasUnpublishedChanges: false,
    pastSlugs: [],
    createdAt: authorship.now,
    editedAt: authorship.now,
    editedBy: authorship.by,
    scheduledAt: null,
    deletedAt: null,
    review: null,
    pendingEvents: [],
    pendingRevision: newRevision("save", 1, authorship),
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

export function edit(post: Post, change: Edit, authorship: Authorship): Post {
  requireEditable(post);
  const version = post.version + 1;
  return {
    ...post,
    version,
    working: change.working,
    workingMediaIds: change.workingMediaIds,
    slugFollowsTitle: change.slugFollowsTitle,
    hasUnpublishedChanges: differs(post.status === "published" ? post.live : null, change.working),
    editedAt: authorship.now,
    editedBy: authorship.by,
    pendingRevision:
      change.kind === "autosave" ? foldedAutosave(change.latest, version, authorship) : newRevision(change.kind, version, authorship),
  };
}

/** Publish, and Update of what is live: the working copy becomes the live copy. */
export function goLive(post: Post, action: "publish" | "update", rendering: Rendering, authorship: Authorship): Post {
  const { event } = transition(post.status, action);
  const before = post.live;
  const live: LiveCopy = {
    content: post.working,
    rendering,
    mediaIds: post.workingMediaIds,
    // The first publication stays the date, through unpublishing and updates, unless the writer chose one.
    publishedAt: post.working.publishedAt ?? before?.publishedAt ?? dueDate(post, authorship.now),
    updatedAt: authorship.now,
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
    pendingRevision: newRevision(action, post.version + 1, authorship, true),
  };
  return withEvent(next, event, authorship, before);
}

/** Content that takes the place of that of the working copy and, where readers see it, of the live copy. */
export interface BothCopies {
  readonly working: PostContent;
  readonly workingMediaIds: readonly MediaId[];
  readonly live: Pick<LiveCopy, "content" | "rendering" | "mediaIds"> | null;
}

/** Changes the same thing in both copies. What else differs between them stays unpublished. */
export function changeBoth(post: Post, { working, workingMediaIds, live: shown }: BothCopies, authorship: Authorship): Post {
  requireEditable(post);
  const before = post.live;
  const isShown = shown !== null && before !== null && post.status === "published";
  const live = isShown ? { ...before, ...shown, updatedAt: authorship.now } : before;
  const hasUnpublishedChanges = differs(post.status === "published" ? live : null, working);
  const version = post.version + 1;
  const isAllLive = isShown && !hasUnpublishedChanges;
  const next: Post = {
    ...post,
    version,
    working,
    workingMediaIds,
    live,
    hasUnpublishedChanges,
    editedAt: authorship.now,
    editedBy: authorship.by,
    pendingRevision: newRevision(isAllLive ? "update" : "save", version, authorship, isAllLive),
  };
  return isShown ? withEvent(next, transition(post.status, "update").event, authorship, before) : next;
}

/** A scheduled post carries the moment it was meant for, even when the service was down then. */
function dueDate(post: Post, now: Timestamp): Timestamp {
  return post.scheduledAt !== null && post.scheduledAt < now ? post.scheduledAt : now;
}

export function schedule(post: Post, at: Timestamp, authorship: Authorship): Post {
  transition(post.status, "schedule");
  return {
    ...post,
    version: post.version + 1,
    status: "scheduled",
    scheduledAt: at,
    review: null,
    editedAt: authorship.now,
    editedBy: authorship.by,
  };
}

/** Takes a published post off the site, or a scheduled one back to the drafts. */
export function unpublish(post: Post, authorship: Authorship): Post {
  const { to, event } = transition(post.status, "unpublish");
  const next: Post = { ...post, version: post.version + 1, status: to ?? post.status, scheduledAt: null, hasUnpublishedChanges: false };
  return withEvent(next, event, authorship, post.live);
}

export function moveToTrash(post: Post, authorship: Authorship): Post {
  const { event } = transition(post.status, "delete");
  const next: Post = {
    ...post,
    version: post.version + 1,
    status: "deleted",
    scheduledAt: null,
    deletedAt: authorship.now,
    review: null,
    hasUnpublishedChanges: false,
  };
  return withEvent(next, event, authorship, post.live);
}

export function restoreFromTrash(post: Post, authorship: Authorship): Post {
  transition(post.status, "restore");
  return { ...post, version: post.version + 1, status: "draft", deletedAt: null, editedAt: authorship.now, editedBy: authorship.by };
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

function withEvent(next: Post, type: EventType | null, authorship: Authorship, before: LiveCopy | null): Post {
  if (type === null) return next;
  const event: PostEvent = {
    id: newId("event", millis(authorship.now)),
    type,
    websiteId: next.websiteId,
    postId: next.id,
    at: authorship.now,
    actor: authorship.by,
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

function newRevision(kind: RevisionKind, version: number, authorship: Authorship, wasLive = false): PendingRevision {
  return {
    id: newId("revision", millis(authorship.now)),
    kind,
    version,
    author: authorship.by,
    startedAt: authorship.now,
    at: authorship.now,
    wasLive,
  };
}

function foldedAutosave(latest: RevisionHead | null, version: number, authorship: Authorship): PendingRevision {
  const folds =
    latest?.kind === "autosave" && latest.author.id === authorship.by.id && millis(authorship.now) - millis(latest.startedAt) < FOLD_MILLIS;
  const fresh = newRevision("autosave", version, authorship);
  return folds ? { ...fresh, id: latest.id, startedAt: latest.startedAt } : fresh;
}
