import type { WebsiteId } from "#domain/ids";
import type { PostStore, SaveOptions, SaveResult } from "#ports/content-store";
import type { Context } from "./context.ts";
import { keyOf } from "./keys.ts";
import { mongoLivePosts } from "./live-posts.ts";
import { mongoPendingPosts } from "./pending-posts.ts";
import { toPost, toPostDocument } from "./post-document.ts";
import { mongoPostLists } from "./post-lists.ts";
import { mongoRenderings } from "./renderings.ts";
import { removeRevisionsOf } from "./revisions.ts";
import { removeIf, withIntent, writeIf } from "./writes.ts";

export function mongoPosts(context: Context): PostStore {
  const collection = context.posts;
  const written = async (
    post: { websiteId: WebsiteId; pendingEvents: readonly unknown[] },
    { visible }: SaveOptions,
    write: () => Promise<SaveResult>,
  ): Promise<SaveResult> => {
    // Settling raises the content version once more before it drops an event: with one pending, a crash is made up for.
    if (visible && post.pendingEvents.length === 0) return withIntent(context, post.websiteId, write);
    const result = await write();
    if (visible && result === "saved") await context.onVisibleChange(post.websiteId);
    return result;
  };
  return {
    async get(websiteId, id) {
      const found = await collection.findOne({ _id: keyOf(websiteId, id), gone: { $exists: false } });
      return found && toPost(context, websiteId, found);
    },
    insert: (post, options) =>
      written(post, options, () =>
        writeIf(context, {
          collection,
          websiteId: post.websiteId,
          key: keyOf(post.websiteId, post.id),
          expected: null,
          document: toPostDocument(post),
        }),
      ),
    save: (post, options) =>
      written(post, options, () =>
        writeIf(context, {
          collection,
          websiteId: post.websiteId,
          key: keyOf(post.websiteId, post.id),
          expected: { version: post.version - 1 },
          document: toPostDocument(post),
        }),
      ),
    async purge(websiteId, id, version) {
      // Remembered first: the post decides in one step, its revisions follow, and a crash in between is made up for.
      const intent = keyOf(websiteId, context.newToken());
      await context.intents.insertOne({ _id: intent, w: websiteId, at: context.clock(), purges: id });
      const result = await removeIf(context, { collection, websiteId, key: keyOf(websiteId, id), version });
      if (result === "saved") await removeRevisionsOf(context, websiteId, id);
      await context.intents.deleteOne({ _id: intent });
      return result;
    },
    ...mongoPostLists(context),
    ...mongoLivePosts(context),
    ...mongoPendingPosts(context),
    ...mongoRenderings(context),
  };
}
