import { fail } from "#domain/failure";
import { newId, type PostId } from "#domain/ids";
import { mediaIdsOf } from "#domain/media-ids";
import type { PostContent } from "#domain/post";
import { createDraft } from "#domain/post-life";
import { millis } from "#domain/time";
import { websiteOperation, type InWebsite } from "../kernel/operation.ts";
import { claimSlugFromTitle } from "./choose-slug.ts";
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
  const slug = givenSlug ? await claimGiven(context, givenSlug, id) : await claimSlugFromTitle(context, content.title, id);
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

async function claimGiven(context: InWebsite, slug: string, ownerId: PostId): Promise<string> {
  const claim = await context.content.claims.claim(context.website.id, "post", { slug, ownerId, claimedAt: context.now });
  if (claim.ownerId === ownerId) return slug;
  throw fail("SLUG_TAKEN", `Another post of this website has the slug "${slug}". Choose another one.`, { slug, postId: claim.ownerId });
}
