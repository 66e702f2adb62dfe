import type { PostId, RevisionId, WebsiteId } from "#domain/ids";
import type { Revision } from "#domain/post";
import type { RevisionStore } from "#ports/revision-store";
import type { SaveResult } from "#ports/save-result";
import { type Context, sweptWebsites } from "./context.ts";
import { isDuplicate } from "./failures.ts";
import { keyOf, websiteOf } from "./keys.ts";
import { readPage, sweep } from "./paging.ts";
import { toRevision, toRevisionDocument, toRevisionHead } from "./revision-document.ts";
import { dateOf } from "./schemas.ts";
import { removeMany, takeStamps } from "./writes.ts";
import { allDocuments } from "./read-documents.ts";

const WITHOUT_CONTENT = { content: 0, body: 0 } as const;
const NEWEST_FIRST = { field: "at", type: "moment", descending: true } as const;

const revisionKey = (websiteId: WebsiteId, postId: PostId, id: RevisionId): string => keyOf(websiteId, postId, id);

export function mongoRevisions(context: Context): RevisionStore {
  const { revisions } = context;
  const list: RevisionStore["list"] = (websiteId, postId, { after, limit }) =>
    readPage(
      revisions,
      {
        filter: { w: websiteId, post: postId },
        order: NEWEST_FIRST,
        prefix: `${keyOf(websiteId, postId)}/`,
        after,
        limit,
        projection: WITHOUT_CONTENT,
      },
      (document) => toRevisionHead(context, websiteId, document),
    );
  return {
    async get(websiteId, postId, id) {
      const found = await revisions.findOne({ _id: revisionKey(websiteId, postId, id), w: websiteId, gone: { $exists: false } });
      return found && toRevision(context, websiteId, found);
    },
    async latest(websiteId, postId) {
      const { rows } = await list(websiteId, postId, { after: null, limit: 1 });
      return rows[0] ?? null;
    },
    list,
    async put(revision) {
      const [stamp] = await takeStamps(context, revision.websiteId);
      const key = revisionKey(revision.websiteId, revision.postId, revision.id);
      await revisions.replaceOne({ _id: key, w: revision.websiteId }, { ...toRevisionDocument(revision), ...stamp }, { upsert: true });
    },
    putIfNewer: (revision) => putUnlessNewer(context, revision),
    async listThinnable(before, after, limit) {
      const from = after ? { _id: { $gt: revisionKey(after.websiteId, after.postId, after.id) } } : {};
      const filter = { ...(await sweptWebsites(context)), wasLive: false, kept: { $exists: false }, at: { $lt: dateOf(before) }, ...from };
      return sweep(revisions, { filter, sort: { _id: 1 }, limit, projection: WITHOUT_CONTENT }, (document) => {
        const websiteId = websiteOf(document._id);
        return websiteId && toRevisionHead(context, websiteId, document);
      });
    },
    async keep(heads) {
      const keys = heads.map(({ websiteId, postId, id }) => revisionKey(websiteId, postId, id));
      await revisions.updateMany({ _id: { $in: keys }, gone: { $exists: false } }, { $set: { kept: true } });
    },
    delete: (websiteId, postId, ids) =>
      removeMany(
        context,
        revisions,
        websiteId,
        ids.map((id) => revisionKey(websiteId, postId, id)),
      ),
  };
}

/** A late settle must not bring an older state of a folded revision back over a newer one. */
export async function putUnlessNewer(context: Context, revision: Revision): Promise<SaveResult> {
  const key = revisionKey(revision.websiteId, revision.postId, revision.id);
  const [stamp] = await takeStamps(context, revision.websiteId);
  const document = { ...toRevisionDocument(revision), ...stamp };
  try {
    await context.revisions.insertOne({ ...document, _id: key });
    return "saved";
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    const older = { _id: key, w: revision.websiteId, $or: [{ version: { $lte: revision.version } }, { gone: true }] };
    const { matchedCount } = await context.revisions.replaceOne(older, document);
    return matchedCount === 1 ? "saved" : "stale";
  }
}

const BATCH = 100;

/** All revisions of a post that was purged, a batch at a time. */
export async function removeRevisionsOf(context: Context, websiteId: WebsiteId, postId: PostId): Promise<void> {
  const own = keyOf(websiteId, postId);
  for (;;) {
    // Between "/" and "0", the sign after it, lie exactly the keys that go on from the post's own.
    const filter = { w: websiteId, post: postId, _id: { $gt: `${own}/`, $lt: `${own}0` } };
    const found = await allDocuments(context.revisions.find(filter).project<{ _id: string }>({ _id: 1 }).limit(BATCH));
    await removeMany(
      context,
      context.revisions,
      websiteId,
      found.map(({ _id }) => _id),
    );
    if (found.length < BATCH) return;
  }
}
