import type { Filter } from "mongodb";
import type { WebsiteId } from "#domain/ids";
import type { Post } from "#domain/post";
import type { PostStore, SaveOptions } from "#ports/content-store";
import type { SaveResult } from "#ports/save-result";
import type { Context, Stored } from "./context.ts";
import { withCounts } from "./facet-counts.ts";
import { keyOf } from "./keys.ts";
import { mongoLivePosts } from "./live-posts.ts";
import { mongoPendingPosts } from "./pending-posts.ts";
import { toPost, toPostDocument } from "./post-document.ts";
import { mongoPostLists } from "./post-lists.ts";
import { mongoRenderings } from "./renderings.ts";
import { removeRevisionsOf } from "./revisions.ts";
import { removeIf, withIntent, writeIf } from "./writes.ts";

/** For copies: as often as somebody else may write the post meanwhile. */
const MOST_TRIES = 5;

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
  const write = (post: Post, expected: Filter<Stored> | null): Promise<SaveResult> => {
    const key = keyOf(post.websiteId, post.id);
    const document = toPostDocument(post);
    return withCounts(context, post.websiteId, {
      key,
      document,
      write: () => writeIf(context, { collection, websiteId: post.websiteId, key, expected, document }),
    });
  };
  return {
    async get(websiteId, id) {
      const found = await collection.findOne({ _id: keyOf(websiteId, id), w: websiteId, gone: { $exists: false } });
      return found && toPost(context, websiteId, found);
    },
    insert: (post, options) => written(post, options, () => write(post, null)),
    save: (post, options) => written(post, options, () => write(post, { version: post.version - 1 })),
    async putIfNewer(post) {
      for (let attempt = 1; ; attempt++) {
        const key = keyOf(post.websiteId, post.id);
        const found = await collection.findOne({ _id: key, gone: { $exists: false } }, { projection: { version: 1 } });
        if (found && !(Number(found.version) <= post.version)) return "stale";
        // Written as the one that was looked at: else its terms could be others than those that were counted.
        const result = await write(post, found ? { version: found.version } : null);
        if (result === "saved" || attempt === MOST_TRIES) return result;
      }
    },
    async purge(websiteId, id, version) {
      // Remembered first: the post decides in one step, its revisions follow, and a crash in between is made up for.
      const intent = keyOf(websiteId, context.newToken());
      await context.intents.insertOne({ _id: intent, w: websiteId, at: context.clock(), purges: id });
      const key = keyOf(websiteId, id);
      const result = await withCounts(context, websiteId, {
        key,
        document: {},
        write: () => removeIf(context, { collection, websiteId, key, version }),
      });
      if (result === "saved") await removeRevisionsOf(context, websiteId, id);
      await context.intents.deleteOne({ _id: intent, w: websiteId });
      return result;
    },
    ...mongoPostLists(context),
    ...mongoLivePosts(context),
    ...mongoPendingPosts(context),
    ...mongoRenderings(context),
  };
}
