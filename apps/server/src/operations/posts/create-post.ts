import { createHash } from "node:crypto";
import { z } from "zod";
import { Failure } from "#domain/failure";
import { idFromBytes, newId, type PostId } from "#domain/ids";
import { mediaIdsOf } from "#domain/media-ids";
import type { PostContent } from "#domain/post";
import { createDraft } from "#domain/post-life";
import { millis } from "#domain/time";
import { websiteOperation, type InWebsite } from "../kernel/operation.ts";
import { slugTaken, storeWithSlugFromTitle } from "./helpers/choose-slug.ts";
import { applyPatch, contentShape, EMPTY_CONTENT } from "./helpers/content-input.ts";
import { storeNewPost } from "./helpers/store-post.ts";
import { aboutPost, type PostView, viewOf } from "./helpers/post-view.ts";

/** Always a draft: publishing is another step, for people and tools alike. */
export const createPost = websiteOperation({
  name: "create_post",
  summary: "Create a post as a draft.",
  permission: "post.create",
  input: {
    ...contentShape,
    /** A call that is repeated with the same key, because its answer was lost, finds the post it made instead of making another. */
    idempotencyKey: z.string().min(1).max(200).optional(),
  },
  async run(context, input): Promise<PostView> {
    const { websiteId: _, idempotencyKey, ...patch } = input;
    const id = idempotencyKey === undefined ? undefined : idOfKey(context, idempotencyKey);
    const made = id && (await context.content.posts.get(context.website.id, id));
    if (made) return viewOf(made);
    const { slug: __, ...content } = await applyPatch(context, { ...EMPTY_CONTENT, slug: "" }, patch);
    try {
      return await createFrom(context, content, patch.slug, id);
    } catch (error) {
      // The same call, twice at once: the other one was faster.
      const other = id && error instanceof Failure && (await context.content.posts.get(context.website.id, id));
      if (other) return viewOf(other);
      throw error;
    }
  },
  changes: "nothing",
  activity: ({ now }, _, post) => (post.version === 1 && post.createdAt === now ? aboutPost(post) : null),
});

/** The same for every call of this actor with this key: the post itself is the memory of the call. */
function idOfKey({ by, website }: InWebsite, key: string): PostId {
  const seed = createHash("sha256")
    .update(JSON.stringify([by.id, website.id, key]))
    .digest();
  return idFromBytes("post", seed, millis(website.createdAt));
}

/** Also how a duplicate begins. Without a slug the post gets one from its title, and it follows the title. */
export async function createFrom(
  context: InWebsite,
  content: Omit<PostContent, "slug">,
  givenSlug?: string,
  givenId?: PostId,
): Promise<PostView> {
  const { actor, by, now, website } = context;
  const id = givenId ?? newId("post", millis(now));
  const workingMediaIds = mediaIdsOf(content);
  const ownerId = actor.type === "system" ? null : actor.userId;
  const slugFollowsTitle = givenSlug === undefined;
  const store = (slug: string) => {
    const draft = { id, websiteId: website.id, ownerId, working: { ...content, slug }, workingMediaIds, slugFollowsTitle };
    return storeNewPost(context, createDraft(draft, { by, now }));
  };
  if (givenSlug === undefined) return viewOf(await storeWithSlugFromTitle(context, { id, title: content.title }, store));
  const post = await store(givenSlug);
  if (!post) throw await slugTaken(context, givenSlug);
  return viewOf(post);
}
