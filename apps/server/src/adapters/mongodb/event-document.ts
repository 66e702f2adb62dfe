import { EVENT_TYPES, POST_STATUSES } from "@stet/contract";
import { z } from "zod";
import { isId, type PostId, type WebsiteId } from "#domain/ids";
import type { PostEvent } from "#domain/post";
import { contentHead, toContentDocument } from "./content-document.ts";
import { actor, dateOf, line, listOf, moment, optional, whole } from "./schemas.ts";

const event = z.object({
  /** Its place among the events of the post: the documents of an object have no order of their own. */
  order: whole,
  type: z.enum(EVENT_TYPES),
  at: moment,
  actor,
  version: whole,
  status: z.enum(POST_STATUSES),
  previousSlug: optional(line),
  changed: listOf(line),
  post: optional(
    z.object({
      content: contentHead,
      wordCount: whole,
      readingMinutes: whole,
      publishedAt: moment,
      createdAt: moment,
      updatedAt: moment,
    }),
  ),
});

/**
 * Pending events by their id, not as a list: each is then removed by its own path, one plain operator that every server
 * has, however many others come and go meanwhile.
 */
export const pendingEvents = z.record(line, event);

export function toEventDocuments(events: readonly PostEvent[]): Record<string, unknown> {
  return Object.fromEntries(events.map((pending, order) => [pending.id, toEventDocument(pending, order)]));
}

function toEventDocument({ id: _, websiteId: _w, postId: _p, ...pending }: PostEvent, order: number): Record<string, unknown> {
  const { post } = pending;
  return {
    ...pending,
    order,
    at: dateOf(pending.at),
    post: post && {
      ...post,
      content: toContentDocument({ ...post.content, body: "" }),
      publishedAt: dateOf(post.publishedAt),
      createdAt: dateOf(post.createdAt),
      updatedAt: dateOf(post.updatedAt),
    },
  };
}

/** The website and the post come from where the document was found, never from what it says. */
export function fromEventDocuments(found: z.output<typeof pendingEvents>, websiteId: WebsiteId, postId: PostId): readonly PostEvent[] {
  return Object.entries(found)
    .flatMap(([id, { order, ...pending }]) => (isId("event", id) ? [{ order, event: { ...pending, id, websiteId, postId } }] : []))
    .toSorted((a, b) => a.order - b.order)
    .map((entry) => entry.event);
}
