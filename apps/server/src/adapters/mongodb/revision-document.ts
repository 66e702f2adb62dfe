import { z } from "zod";
import { isId, type PostId, type RevisionId, type WebsiteId } from "#domain/ids";
import { type Revision, type RevisionHead, REVISION_KINDS } from "#domain/post";
import { contentHead, toContentDocument } from "./content-document.ts";
import type { Context, Stored } from "./context.ts";
import { partsOf } from "./keys.ts";
import { actor, dateOf, flag, idOf, moment, parsed, text, whole } from "./schemas.ts";

const fields = { kind: z.enum(REVISION_KINDS), version: whole, author: actor, startedAt: moment, at: moment, wasLive: flag };

/** As it travels inside a post while it is pending. */
export const revisionHead = z.object({ id: idOf<RevisionId>("revision"), ...fields });
const stored = z.object(fields);
const storedWithContent = stored.extend({ content: contentHead, body: text });

export function toRevisionHeadDocument(head: Omit<RevisionHead, "websiteId" | "postId">): Record<string, unknown> {
  const { id, kind, version, author, startedAt, at, wasLive } = head;
  return { id, kind, version, author, startedAt: dateOf(startedAt), at: dateOf(at), wasLive };
}

export function toRevisionDocument(revision: Revision): Record<string, unknown> {
  const { id: _, ...head } = toRevisionHeadDocument(revision);
  return {
    w: revision.websiteId,
    post: revision.postId,
    ...head,
    content: toContentDocument(revision.content),
    body: revision.content.body,
  };
}

interface RevisionIds {
  readonly postId: PostId;
  readonly id: RevisionId;
}

/** Which revision of which post a key names; null when it names none of this website. */
export function idsOf(websiteId: WebsiteId, key: unknown): RevisionIds | null {
  const [postId = "", id = "", ...more] = partsOf(websiteId, key) ?? [];
  return more.length === 0 && isId("post", postId) && isId("revision", id) ? { postId, id } : null;
}

export function toRevisionHead(context: Context, websiteId: WebsiteId, document: Stored): RevisionHead | null {
  const ids = idsOf(websiteId, document._id);
  const found = parsed(context, "revisions", document, () => (ids ? stored.safeParse(document) : null));
  return ids && found ? { ...found, ...ids, websiteId } : null;
}

export function toRevision(context: Context, websiteId: WebsiteId, document: Stored): Revision | null {
  const ids = idsOf(websiteId, document._id);
  const found = parsed(context, "revisions", document, () => (ids ? storedWithContent.safeParse(document) : null));
  if (!ids || !found) return null;
  const { content, body, ...head } = found;
  return { ...head, ...ids, websiteId, content: { ...content, body } };
}
