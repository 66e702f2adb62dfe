import { POST_STATUSES } from "@stet/contract";
import { z } from "zod";
import { FEATURED, facetsOf } from "#domain/facets";
import { fold } from "#domain/fold";
import { isId, type PostId, type WebsiteId } from "#domain/ids";
import type { LivePost, LivePostWithBody, Post, PostSummary } from "#domain/post";
import type { PastSlug } from "#ports/live-posts";
import { contentHead, toContentDocument } from "./content-document.ts";
import type { Context, Stored } from "./context.ts";
import { fromEventDocuments, pendingEvents, toEventDocuments } from "./event-document.ts";
import { partsOf } from "./keys.ts";
import { revisionHead, toRevisionHeadDocument } from "./revision-document.ts";
import { searchFields } from "./search-fields.ts";
import {
  actor,
  dateOf,
  flag,
  html,
  line,
  listOf,
  mediaId,
  moment,
  optional,
  optionalDate,
  parsed,
  text,
  userId,
  whole,
} from "./schemas.ts";

/** Every live post has this facet, so that a list without a filter reads the same indexes as one with. */
export const ANY_LIVE = "*";
export const NOT_FEATURED = "not-featured";

/** Left out of lists: the bodies, and what is pending. */
export const WITHOUT_BODIES = { workingBody: 0, liveBody: 0, searchBody: 0, pending: 0, pendingRevision: 0 } as const;

const summary = z.object({
  version: whole,
  status: z.enum(POST_STATUSES),
  working: contentHead,
  workingMediaIds: listOf(mediaId),
  slugFollowsTitle: flag,
  hasUnpublishedChanges: flag,
  pastSlugs: listOf(line),
  ownerId: optional(userId),
  createdAt: moment,
  editedAt: moment,
  editedBy: actor,
  scheduledAt: optional(moment),
  deletedAt: optional(moment),
  review: optional(z.object({ requestedBy: actor, requestedAt: moment, note: line })),
  publishedAt: optional(moment),
  updatedAt: optional(moment),
});

const live = z.object({ content: contentHead, mediaIds: listOf(mediaId), wordCount: whole, readingMinutes: whole });
const liveBody = z.object({ body: text, html, headings: listOf(z.object({ id: text, depth: whole, text }), 300_000), text });
const livePost = z.object({ createdAt: moment, publishedAt: moment, updatedAt: moment, live });
const livePostWithBody = livePost.extend({ liveBody, rendererVersion: whole, pastSlugs: listOf(line) });

const draft = summary.extend({
  workingBody: text,
  pending: pendingEvents.nullish(),
  pendingRevision: optional(revisionHead),
  live: z.null().optional(),
});
const post = z.union([livePostWithBody.extend(draft.omit({ publishedAt: true, updatedAt: true, live: true }).shape), draft]);

/** The whole aggregate, with the fields that lists order and narrow by. */
export function toPostDocument(saved: Post): Record<string, unknown> {
  const { working, live: liveCopy } = saved;
  return {
    w: saved.websiteId,
    version: saved.version,
    status: saved.status,
    working: toContentDocument(working),
    workingBody: working.body,
    workingMediaIds: saved.workingMediaIds,
    slugFollowsTitle: saved.slugFollowsTitle,
    hasUnpublishedChanges: saved.hasUnpublishedChanges,
    pastSlugs: saved.pastSlugs,
    ownerId: saved.ownerId,
    createdAt: dateOf(saved.createdAt),
    editedAt: dateOf(saved.editedAt),
    editedBy: saved.editedBy,
    scheduledAt: optionalDate(saved.scheduledAt),
    deletedAt: optionalDate(saved.deletedAt),
    review: saved.review && { ...saved.review, requestedAt: dateOf(saved.review.requestedAt) },
    ...(liveCopy && {
      live: {
        content: toContentDocument(liveCopy.content),
        mediaIds: liveCopy.mediaIds,
        wordCount: liveCopy.rendering.wordCount,
        readingMinutes: liveCopy.rendering.readingMinutes,
      },
      liveBody: {
        body: liveCopy.content.body,
        html: liveCopy.rendering.html,
        headings: liveCopy.rendering.headings,
        text: liveCopy.rendering.text,
      },
      rendererVersion: liveCopy.rendering.rendererVersion,
      publishedAt: dateOf(liveCopy.publishedAt),
      updatedAt: dateOf(liveCopy.updatedAt),
      liveTitleKey: fold(liveCopy.content.title),
      ...searchFields(liveCopy.content, liveCopy.rendering.text),
    }),
    pending: toEventDocuments(saved.pendingEvents),
    pendingRevision: saved.pendingRevision ? toRevisionHeadDocument(saved.pendingRevision) : undefined,
    pendingSince: saved.pendingEvents.length > 0 || saved.pendingRevision ? dateOf(saved.editedAt) : undefined,
    titleKey: fold(working.title),
    // Each write of ours brings the counts along; one of an earlier version lacks the mark (count-older.ts).
    counted: true,
    ...facetFields(saved),
  };
}

function facetFields(saved: Post): Record<"workingFacets" | "liveFacets" | "shownFacets", readonly string[]> {
  const workingFacets = facetsOf(saved.working, saved.workingMediaIds);
  const live = saved.status === "published" && saved.live ? facetsOf(saved.live.content, saved.live.mediaIds) : null;
  return {
    workingFacets,
    liveFacets: live ? [ANY_LIVE, ...(live.includes(FEATURED) ? [] : [NOT_FEATURED]), ...live] : [],
    // The facets by which uses are counted: a post in the trash uses nothing.
    shownFacets: saved.status === "deleted" ? [] : [...new Set([...workingFacets, ...(live ?? [])])],
  };
}

function postIdOf(websiteId: WebsiteId, document: Stored): PostId | null {
  const [id = "", ...more] = partsOf(websiteId, document._id) ?? [];
  return more.length === 0 && isId("post", id) ? id : null;
}

/** Parses a document of this website under its own key, or tells that it is bad. */
function read<Value, Made>(
  context: Context,
  websiteId: WebsiteId,
  document: Stored,
  schema: z.ZodType<Value>,
  make: (value: Value, id: PostId) => Made,
): Made | null {
  const id = postIdOf(websiteId, document);
  const value = parsed(context, "posts", document, () => (id ? schema.safeParse(document) : null));
  return id && value ? make(value, id) : null;
}

export const toPost = (context: Context, websiteId: WebsiteId, document: Stored): Post | null =>
  read(context, websiteId, document, post, (found, id): Post => {
    const { workingBody, pending, publishedAt: _p, updatedAt: _u, ...rest } = found;
    const common = {
      id,
      websiteId,
      version: rest.version,
      status: rest.status,
      working: { ...rest.working, body: workingBody },
      workingMediaIds: rest.workingMediaIds,
      slugFollowsTitle: rest.slugFollowsTitle,
      hasUnpublishedChanges: rest.hasUnpublishedChanges,
      pastSlugs: rest.pastSlugs,
      ownerId: rest.ownerId,
      createdAt: rest.createdAt,
      editedAt: rest.editedAt,
      editedBy: rest.editedBy,
      scheduledAt: rest.scheduledAt,
      deletedAt: rest.deletedAt,
      review: rest.review,
      pendingEvents: fromEventDocuments(pending ?? {}, websiteId, id),
      pendingRevision: rest.pendingRevision,
    };
    if (!("liveBody" in found)) return { ...common, live: null };
    const { body, ...rendered } = found.liveBody;
    const { content, mediaIds, wordCount, readingMinutes } = found.live;
    return {
      ...common,
      live: {
        content: { ...content, body },
        // It may be copied to where markup is trusted.
        rendering: {
          ...rendered,
          html: context.sanitizeHtml(rendered.html),
          wordCount,
          readingMinutes,
          rendererVersion: found.rendererVersion,
        },
        mediaIds,
        publishedAt: found.publishedAt,
        updatedAt: found.updatedAt,
      },
    };
  });

export const toSummary = (context: Context, websiteId: WebsiteId, document: Stored): PostSummary | null =>
  read(context, websiteId, document, summary, (found, id) => ({ ...found, id, websiteId }));

const liveFields = (found: z.output<typeof livePost>, id: PostId, websiteId: WebsiteId): LivePost => ({
  id,
  websiteId,
  createdAt: found.createdAt,
  publishedAt: found.publishedAt,
  updatedAt: found.updatedAt,
  ...found.live,
});

export const toLivePost = (context: Context, websiteId: WebsiteId, document: Stored): LivePost | null =>
  read(context, websiteId, document, livePost, (found, id) => liveFields(found, id, websiteId));

const renamed = z.object({ live: z.object({ content: z.object({ slug: text }) }), pastSlugs: z.array(text) });

export const toPastSlugs = (context: Context, websiteId: WebsiteId, document: Stored): readonly PastSlug[] | null =>
  read(context, websiteId, document, renamed, ({ live: { content }, pastSlugs }, postId) =>
    // Slugs have no signs beyond ASCII: compared as they are, they are compared by code point.
    [...new Set(pastSlugs)].toSorted((left, right) => (left < right ? -1 : 1)).map((slug) => ({ slug, currentSlug: content.slug, postId })),
  );

export const toLivePostWithBody = (context: Context, websiteId: WebsiteId, document: Stored): LivePostWithBody | null =>
  read(context, websiteId, document, livePostWithBody, (found, id) => {
    const { body, headings, text: plain } = found.liveBody;
    const { wordCount, readingMinutes } = found.live;
    return {
      ...liveFields(found, id, websiteId),
      pastSlugs: found.pastSlugs,
      body,
      rendering: {
        rendererVersion: found.rendererVersion,
        html: context.sanitizeHtml(found.liveBody.html),
        headings,
        text: plain,
        wordCount,
        readingMinutes,
      },
    };
  });
