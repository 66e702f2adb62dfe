import { type DiffPart, wordDiff } from "@stet/markdown";
import { decodeCursor, encodeCursor } from "#domain/cursor";
import { notFound } from "#domain/failure";
import type { RevisionId } from "#domain/ids";
import type { PostContent, Revision, RevisionHead } from "#domain/post";
import { expectedVersion } from "../kernel/inputs.ts";
import { idOf, type OnPost, postOperation } from "../kernel/operation.ts";
import { storeEdit } from "./edit-post.ts";
import { cursorShape, limitShape, type ListAnswer } from "../kernel/paging.ts";
import { requireVersion } from "./helpers/store-post.ts";
import { aboutPost, type PostView, viewOf } from "./helpers/post-view.ts";

const revisionId = idOf<RevisionId>("revision");
const ORDER = "-at";

/** The history of a post, newest first: who wrote what, when, and what was live. */
export const listRevisions = postOperation({
  name: "list_revisions",
  summary: "List the revisions of a post, newest first.",
  permission: "post.read",
  input: { ...cursorShape, ...limitShape },
  async run({ content, post }, input): Promise<ListAnswer<RevisionHead>> {
    const after = input.cursor ? decodeCursor(input.cursor, ORDER) : null;
    const page = await content.revisions.list(post.websiteId, post.id, { after, limit: input.limit });
    return { items: page.rows, nextCursor: page.next && encodeCursor(ORDER, page.next) };
  },
  activity: "none",
});

export const getRevision = postOperation({
  name: "get_revision",
  summary: "Read one revision of a post.",
  permission: "post.read",
  input: { revisionId },
  run: (context, input): Promise<Revision> => load(context, input.revisionId),
  activity: "none",
});

export interface RevisionDiff {
  readonly from: RevisionHead | "working copy";
  readonly to: RevisionHead | "working copy";
  /** Word by word; empty when both are the same. */
  readonly title: readonly DiffPart[];
  readonly excerpt: readonly DiffPart[];
  readonly body: readonly DiffPart[];
  /** Other fields that differ, with both values. */
  readonly fields: readonly { readonly field: string; readonly before: unknown; readonly after: unknown }[];
}

/** The changes of the text between two revisions, or between one and the working copy. */
export const diffRevisions = postOperation({
  name: "diff_revisions",
  summary: "Compare two revisions word by word, or one with the working copy.",
  permission: "post.read",
  input: { fromRevisionId: revisionId, toRevisionId: revisionId.optional() },
  async run(context, input): Promise<RevisionDiff> {
    const from = await load(context, input.fromRevisionId);
    const to = input.toRevisionId ? await load(context, input.toRevisionId) : null;
    const before = from.content;
    const after = to?.content ?? context.post.working;
    const diff = (key: "title" | "excerpt" | "body") => (before[key] === after[key] ? [] : wordDiff(before[key], after[key]));
    return {
      from: headOf(from),
      to: to ? headOf(to) : "working copy",
      title: diff("title"),
      excerpt: diff("excerpt"),
      body: diff("body"),
      fields: otherFields(before, after),
    };
  },
  activity: "none",
});

/** Its content becomes the working copy, as a new version: nothing that came after it is lost. */
export const restoreRevision = postOperation({
  name: "restore_revision",
  summary: "Restore a revision as the working copy.",
  permission: "post.write",
  input: { revisionId, expectedVersion },
  async run(context, input): Promise<PostView> {
    const { post } = context;
    requireVersion(post, input.expectedVersion);
    const revision = await load(context, input.revisionId);
    // The slug stays: an address is not part of the text, and the old one may be another post's by now.
    return viewOf(await storeEdit(context, { ...revision.content, slug: post.working.slug }, false, "restore"));
  },
  changes: "nothing",
  activity: (_, input, post) => aboutPost(post, { revision: input.revisionId }),
});

async function load({ content, post }: OnPost, id: RevisionId): Promise<Revision> {
  const revision = await content.revisions.get(post.websiteId, post.id, id);
  if (!revision) throw notFound("revision");
  return revision;
}

function headOf({ content: _, ...head }: Revision): RevisionHead {
  return head;
}

function otherFields(before: PostContent, after: PostContent): RevisionDiff["fields"] {
  const keys = (Object.keys(after) as (keyof PostContent)[]).filter((key) => !["title", "excerpt", "body"].includes(key));
  return keys
    .filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
    .map((field) => ({ field, before: before[field], after: after[field] }));
}
