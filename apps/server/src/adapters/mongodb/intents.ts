import { isId, type PostId, type WebsiteId } from "#domain/ids";
import { type Context, type Stored, sweptWebsites } from "./context.ts";
import { keyOf, websiteOf } from "./keys.ts";
import { sweep } from "./paging.ts";
import { removeRevisionsOf } from "./revisions.ts";

/** A write still under way is younger than this; an older intent was left by a process that died. */
export const LEFT_BEHIND_MS = 60_000;

/**
 * Finishes what dead processes left half done: raises content versions, and removes the revisions of purged posts.
 * Doing it for a write that did happen, or never did, is harmless.
 */
export async function finishIntents(context: Context, limit: number): Promise<void> {
  const before = new Date(context.clock().getTime() - LEFT_BEHIND_MS);
  const left = await sweep(
    context.intents,
    { filter: { ...(await sweptWebsites(context)), at: { $lt: before } }, sort: { at: 1 }, limit },
    (document) => (websiteOf(document._id) ? document : null),
  );
  for (const intent of left) {
    const websiteId = websiteOf(intent._id)!;
    const postId = purgedPostOf(intent);
    if (postId && (await isGone(context, websiteId, postId))) await removeRevisionsOf(context, websiteId, postId);
    await context.onVisibleChange(websiteId);
    await context.intents.deleteOne({ _id: intent._id, w: websiteId });
  }
}

const purgedPostOf = ({ purges }: Stored): PostId | null => (typeof purges === "string" && isId("post", purges) ? purges : null);

export async function isGone(context: Context, websiteId: WebsiteId, postId: PostId): Promise<boolean> {
  const found = await context.posts.findOne({ _id: keyOf(websiteId, postId), w: websiteId }, { projection: { gone: 1 } });
  return !found || found.gone === true;
}
