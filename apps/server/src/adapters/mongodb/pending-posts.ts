import { isId, type PostId } from "#domain/ids";
import type { Post } from "#domain/post";
import type { PostRef, PostStore } from "#ports/content-store";
import { type Context, type Stored, onlyWebsiteFilter } from "./context.ts";
import { finishIntents, isGone } from "./intents.ts";
import { keyOf, partsOf, websiteOf } from "./keys.ts";
import { sweep } from "./paging.ts";
import { toPost } from "./post-document.ts";
import { putUnlessNewer, removeRevisionsOf } from "./revisions.ts";
import { dateOf } from "./schemas.ts";

const LONG_AGO = new Date(-8.64e15);

export function mongoPendingPosts(context: Context): Pick<PostStore, "settle" | "listPending" | "listDeletedBefore"> {
  const { posts } = context;

  /** Takes the mark off a post that has nothing pending any more. */
  const clearMark = (key: string) =>
    posts.updateOne({ _id: key, pending: {}, pendingRevision: { $exists: false } }, { $unset: { pendingSince: "" } });

  return {
    async settle(websiteId, id, { eventIds, revision }) {
      const key = keyOf(websiteId, id);
      const found = await posts.findOne({ _id: key, gone: { $exists: false } }, { projection: { pending: 1, pendingRevision: 1 } });
      if (!found) return;
      if (revision) await putUnlessNewer(context, { ...revision, websiteId, postId: id });
      const settled = eventIds.filter((eventId) => isId("event", eventId) && eventId in objectOf(found.pending));
      if (settled.length > 0) {
        await context.onVisibleChange(websiteId);
        await posts.updateOne({ _id: key }, { $unset: Object.fromEntries(settled.map((eventId) => [`pending.${eventId}`, ""])) });
      }
      if (revision) {
        await posts.updateOne(
          { _id: key, "pendingRevision.id": revision.id, "pendingRevision.version": revision.version },
          { $unset: { pendingRevision: "" } },
        );
      }
      const { matchedCount } = await clearMark(key);
      // Purged meanwhile: the revision came too late to be removed with the others.
      if (matchedCount === 0 && revision && (await isGone(context, websiteId, id))) await removeRevisionsOf(context, websiteId, id);
    },

    async listPending(limit) {
      await finishIntents(context, limit);
      const filter = { ...onlyWebsiteFilter(context), pendingSince: { $gte: LONG_AGO } };
      const found = await sweep(posts, { filter, sort: { pendingSince: 1, _id: 1 }, limit }, (document) => readAnywhere(context, document));
      const settled = found.filter((post) => post.pendingEvents.length === 0 && !post.pendingRevision);
      for (const post of settled) await clearMark(keyOf(post.websiteId, post.id));
      return found.filter((post) => !settled.includes(post));
    },

    listDeletedBefore: (before, limit) =>
      sweepRefs(context, { ...onlyWebsiteFilter(context), deletedAt: { $lt: dateOf(before) } }, { deletedAt: 1, _id: 1 }, limit),
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
