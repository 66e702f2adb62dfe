import { createHash } from "node:crypto";
import type { ActorRef } from "#domain/actor";
import { type IdKind, idFromBytes, type UserId, type WebsiteId } from "#domain/ids";
import type { Media } from "#domain/media";
import type { LiveCopy, Post, PostContent, PostEvent, Rendering, Revision } from "#domain/post";
import type { RecordBeside } from "#ports/records-beside";
import type { Term } from "#domain/term";
import { HOUR, MINUTE, type Timestamp, timestamp } from "#domain/time";

/** Valid records, the same ones every time: `n` tells them apart, overrides say what a test is about. */

const EPOCH = Date.UTC(2026, 0, 1);

/** A moment `offset` milliseconds after the builders' first day. */
export const at = (offset: number): Timestamp => timestamp(EPOCH + offset);

/** The same id for the same number; a greater number sorts later. */
export function testId<K extends IdKind>(kind: K, n: number): ReturnType<typeof idFromBytes<K>> {
  return idFromBytes(kind, createHash("sha256").update(`${kind} ${n}`).digest(), EPOCH + n * MINUTE);
}

export const WEBSITE: WebsiteId = testId("website", 1);
export const WRITER: UserId = testId("user", 1);

export const byUser = (userId: UserId = WRITER): ActorRef => ({ type: "user", id: userId, userId });
export const byTool = (userId: UserId = WRITER): ActorRef => ({ type: "tool", id: testId("grant", 1), userId });

export function buildContent(n: number, overrides: Partial<PostContent> = {}): PostContent {
  return {
    title: `Post ${n}`,
    slug: `post-${n}`,
    excerpt: `What post ${n} is about.`,
    body: `# Post ${n}\n\nFirst paragraph.\n`,
    coverMediaId: null,
    coverAlt: null,
    categoryIds: [],
    tagIds: [],
    authorIds: [],
    featured: false,
    seo: { title: null, description: null, canonicalUrl: null, ogImageUrl: null, noindex: false },
    fields: {},
    publishedAt: null,
    ...overrides,
  };
}

export function buildRendering(content: PostContent, overrides: Partial<Rendering> = {}): Rendering {
  return {
    rendererVersion: 1_000,
    html: `<p>${content.body}</p>`,
    headings: [{ id: "first", depth: 2, text: content.title }],
    text: content.body,
    wordCount: content.body.length,
    readingMinutes: 1,
    ...overrides,
  };
}

export function buildLive(content: PostContent, overrides: Partial<LiveCopy> = {}): LiveCopy {
  return {
    content,
    rendering: buildRendering(content),
    mediaIds: content.coverMediaId ? [content.coverMediaId] : [],
    publishedAt: at(HOUR),
    updatedAt: at(HOUR),
    ...overrides,
  };
}

/** A draft at version 1. */
export function buildPost(n: number, overrides: Partial<Post> = {}): Post {
  const working = overrides.working ?? buildContent(n);
  return {
    id: testId("post", n),
    websiteId: WEBSITE,
    version: 1,
    status: "draft",
    working,
    workingMediaIds: working.coverMediaId ? [working.coverMediaId] : [],
    slugFollowsTitle: true,
    live: null,
    hasUnpublishedChanges: false,
    pastSlugs: [],
    ownerId: WRITER,
    createdAt: at(n * MINUTE),
    editedAt: at(n * MINUTE),
    editedBy: byUser(),
    scheduledAt: null,
    deletedAt: null,
    review: null,
    pendingEvents: [],
    pendingRevision: null,
    ...overrides,
  };
}

/** A published post whose live copy is its working copy. */
export function buildPublishedPost(n: number, overrides: Partial<Post> = {}, live: Partial<LiveCopy> = {}): Post {
  const working = overrides.working ?? buildContent(n);
  return buildPost(n, {
    status: "published",
    working,
    slugFollowsTitle: false,
    live: buildLive(working, { publishedAt: at(n * MINUTE), updatedAt: at(n * MINUTE), ...live }),
    ...overrides,
  });
}

export function buildEvent(n: number, post: Post, overrides: Partial<PostEvent> = {}): PostEvent {
  return {
    id: testId("event", n),
    type: "post.published",
    websiteId: post.websiteId,
    postId: post.id,
    at: at(n * MINUTE),
    actor: byUser(),
    version: post.version,
    status: post.status,
    previousSlug: null,
    changed: ["title"],
    post: null,
    ...overrides,
  };
}

export function buildRevision(n: number, post: Post, overrides: Partial<Revision> = {}): Revision {
  return {
    id: testId("revision", n),
    websiteId: post.websiteId,
    postId: post.id,
    kind: "save",
    version: post.version,
    author: byUser(),
    startedAt: at(n * MINUTE),
    at: at(n * MINUTE),
    wasLive: false,
    content: post.working,
    ...overrides,
  };
}

export const buildRecordBeside = (n: number, overrides: Partial<RecordBeside> = {}): RecordBeside => ({
  websiteId: WEBSITE,
  id: testId("suggestion", n),
  kind: "suggestion",
  targetId: testId("post", n),
  version: 1,
  open: true,
  at: at(n * MINUTE),
  data: { words: `suggestion ${n}` },
  ...overrides,
});

export function buildTerm(n: number, overrides: Partial<Term> = {}): Term {
  const kind = overrides.kind ?? "category";
  return {
    id: testId(kind, n),
    websiteId: WEBSITE,
    kind,
    version: 1,
    slug: `${kind}-${n}`,
    name: `Term ${n}`,
    description: "",
    profile: kind === "author" ? { url: null, avatarMediaId: null, userId: null } : null,
    pastSlugs: [],
    mergedInto: null,
    createdAt: at(n * MINUTE),
    updatedAt: at(n * MINUTE),
    ...overrides,
  };
}

export function buildMedia(n: number, overrides: Partial<Media> = {}): Media {
  const id = overrides.id ?? testId("media", n);
  return {
    id,
    websiteId: WEBSITE,
    version: 1,
    url: `/media/${id}/original.png`,
    filename: `image-${n}.png`,
    contentType: "image/png",
    bytes: 1_000,
    metadata: "stripped",
    dominantColor: null,
    width: 640,
    height: 480,
    blurhash: null,
    alt: "",
    edit: null,
    createdAt: at(n * MINUTE),
    createdBy: byUser(),
    updatedAt: at(n * MINUTE),
    deletedAt: null,
    ...overrides,
  };
}

/** The next save of a record: one version on. */
export function edited<Record extends { readonly version: number }>(record: Record, overrides: Partial<Record> = {}): Record {
  return { ...record, version: record.version + 1, ...overrides };
}
