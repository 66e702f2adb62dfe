import { newId } from "#domain/ids";
import { mediaIdsOf } from "#domain/media-ids";
import type { PostContent } from "#domain/post";
import { createDraft } from "#domain/post-life";
import { millis } from "#domain/time";
import { websiteOperation, type InWebsite } from "../kernel/operation.ts";
import { claimSlug, claimSlugFromTitle } from "./choose-slug.ts";
import { applyPatch, contentShape, EMPTY_CONTENT } from "./content-input.ts";
import { storeNewPost } from "./store-post.ts";
import { aboutPost, type PostView, viewOf } from "./view.ts";

/** Always a draft: publishing is another step, for people and tools alike. */
export const createPost = websiteOperation({
  name: "create_post",
  summary: "Create a post as a draft.",
  permission: "post.create",
  input: contentShape,
  async run(context, input): Promise<PostView> {
    const { websiteId: _, ...patch } = input;
    const { slug: __, ...content } = await applyPatch(context, { ...EMPTY_CONTENT, slug: "" }, patch);
    return createFrom(context, content, patch.slug);
  },
  activity: (_, __, post) => aboutPost(post),
});

/** Also how a duplicate begins. Without a slug the post gets one from its title, and it follows the title. */
export async function createFrom(context: InWebsite, content: Omit<PostContent, "slug">, givenSlug?: string): Promise<PostView> {
  const { actor, by, now, website } = context;
  const id = newId("post", millis(now));
  if (givenSlug !== undefined) await claimSlug(context, givenSlug, id);
  const slug = givenSlug ?? (await claimSlugFromTitle(context, content.title, id));
  const working = { ...content, slug };
  const post = createDraft(
    {
      id,
      websiteId: website.id,
      ownerId: actor.type === "system" ? null : actor.userId,
      working,
      workingMediaIds: mediaIdsOf(working),
      slugFollowsTitle: givenSlug === undefined,
    },
    { by, now },
  );
  return viewOf(await storeNewPost(context, post));
}
