import { decodeCursor, encodeCursor } from "#domain/cursor";
import { notFound } from "#domain/failure";
import type { RevisionId } from "#domain/ids";
import type { Revision, RevisionHead } from "#domain/post";
import { expectedVersion } from "../kernel/inputs.ts";
import { idOf, type OnPost, postOperation } from "../kernel/operation.ts";
import { storeEdit } from "./edit-post.ts";
import { cursorShape, limitShape, type ListAnswer } from "../kernel/paging.ts";
import { type ContentDiff, diffContents } from "./helpers/diff-contents.ts";
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

export interface RevisionDiff extends ContentDiff {
  readonly from: RevisionHead | "working copy";
  readonly to: RevisionHead | "working copy";
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
    const after = to?.content ?? context.post.working;
    return { from: headOf(from), to: to ? headOf(to) : "working copy", ...diffContents(from.content, after) };
  },
  activity: "none",
});

/** Its content becomes the working copy, as a new version: nothing that came after it is lost. */
export const restoreRevision = postOperation({
  name: "restore_revision",
  summary: "Restore an earlier version of a post.",
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
