import { isId, type PostId, type WebsiteId } from "#domain/ids";
import type { Post } from "#domain/post";
import type { PostRef, PostStore } from "#ports/content-store";
import { type Context, type Stored, sweptWebsites } from "./context.ts";
import { countOlder } from "./count-older.ts";
import { finishIntents, isGone } from "./intents.ts";
import { keyOf, partsOf, websiteOf } from "./keys.ts";
import { sweep } from "./paging.ts";
import { toPost } from "./post-document.ts";
import { putUnlessNewer, removeRevisionsOf } from "./revisions.ts";
import { dateOf } from "./schemas.ts";

type Sweeps = Pick<PostStore, "settle" | "listPending" | "finishInterrupted" | "countOlder" | "listDeletedBefore">;

/** Posts that were saved with something to settle, the longest waiting first. */
const MARKED = { pendingSince: { $gte: new Date(-8.64e15) } };
const BY_MARK = { pendingSince: 1, _id: 1 } as const;
const NOTHING_PENDING = { pending: {}, pendingRevision: { $exists: false } };

export function mongoPendingPosts(context: Context): Sweeps {
  const { posts } = context;

  /** Takes the mark off a post that has nothing pending any more. */
  const clearMark = (websiteId: WebsiteId, id: PostId) =>
    posts.updateOne({ _id: keyOf(websiteId, id), w: websiteId, ...NOTHING_PENDING }, { $unset: { pendingSince: "" } });

  return {
    async settle(websiteId, id, { eventIds, revision }) {
      const key = keyOf(websiteId, id);
      const found = await posts.findOne(
        { _id: key, w: websiteId, gone: { $exists: false } },
        { projection: { pending: 1, pendingRevision: 1 } },
      );
      if (!found) return;
      if (revision) await putUnlessNewer(context, { ...revision, websiteId, postId: id });
      const settled = eventIds.filter((eventId) => isId("event", eventId) && eventId in objectOf(found.pending));
      if (settled.length > 0) {
        await context.onVisibleChange(websiteId);
        await posts.updateOne(
          { _id: key, w: websiteId },
          { $unset: Object.fromEntries(settled.map((eventId) => [`pending.${eventId}`, ""])) },
        );
      }
      if (revision) {
        await posts.updateOne(
          { _id: key, w: websiteId, "pendingRevision.id": revision.id, "pendingRevision.version": revision.version },
          { $unset: { pendingRevision: "" } },
        );
      }
      const { matchedCount } = await clearMark(websiteId, id);
      // Purged meanwhile: the revision came too late to be removed with the others.
      if (matchedCount === 0 && revision && (await isGone(context, websiteId, id))) await removeRevisionsOf(context, websiteId, id);
    },

    async listPending(limit) {
      const filter = { ...(await sweptWebsites(context)), ...MARKED };
      return sweep(posts, { filter, sort: BY_MARK, limit }, (document) => {
        const post = readAnywhere(context, document);
        return post && (post.pendingEvents.length > 0 || post.pendingRevision) ? post : null;
      });
    },

    async finishInterrupted(limit) {
      await finishIntents(context, limit);
      const settled = { ...(await sweptWebsites(context)), ...MARKED, ...NOTHING_PENDING };
      for (const { websiteId, id } of await sweepRefs(context, settled, BY_MARK, limit)) await clearMark(websiteId, id);
    },

    countOlder: (limit) => countOlder(context, limit),

    listDeletedBefore: async (before, limit) =>
      sweepRefs(context, { ...(await sweptWebsites(context)), deletedAt: { $lt: dateOf(before) } }, { deletedAt: 1, _id: 1 }, limit),
  };
}

const objectOf = (value: unknown): object => (typeof value === "object" && value !== null ? value : {});

function readAnywhere(context: Context, document: Stored): Post | null {
  const websiteId = websiteOf(document._id);
  return websiteId && toPost(context, websiteId, document);
}

export function sweepRefs(
  context: Context,
  filter: Readonly<Record<string, unknown>>,
  sort: Readonly<Record<string, 1>>,
  limit: number,
): Promise<readonly PostRef[]> {
  return sweep(context.posts, { filter, sort, limit, projection: { _id: 1 } }, ({ _id }) => {
    const websiteId = websiteOf(_id);
    const [id = ""] = (websiteId && partsOf(websiteId, _id)) || [];
    return websiteId && isId("post", id) ? { websiteId, id: id satisfies PostId } : null;
  });
}
