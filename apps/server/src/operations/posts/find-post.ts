import { z } from "zod";
import { within } from "#domain/access";
import { notFound } from "#domain/failure";
import type { PostId } from "#domain/ids";
import { isSlug } from "#domain/slug";
import { type InWebsite, websiteOperation } from "../kernel/operation.ts";

/** Whoever has only an address, such as a person who copied it from the website, finds the post behind it. */
export const findPost = websiteOperation({
  name: "find_post",
  summary: "Find a post by its slug: the one it has, or one it was live under.",
  permission: "post.read",
  input: { slug: z.string().refine(isSlug, "must be a slug, such as bread-at-home") },
  async run(context, { slug }): Promise<{ readonly id: PostId }> {
    const { content, website } = context;
    const owner = (await content.claims.owners(website.id, "post", [slug])).get(slug) as PostId | undefined;
    if (owner === undefined || !(await isReached(context, owner, slug))) throw notFound("post");
    return { id: owner };
  },
  activity: "none",
});

/** Of others' published posts a contributor knows the addresses that readers know, not one that is only planned. */
async function isReached({ content, website, reach, actor }: InWebsite, id: PostId, slug: string): Promise<boolean> {
  const post = await content.posts.get(website.id, id);
  if (!post || !within(reach, actor, { ownerId: post.ownerId, published: post.status === "published" })) return false;
  if (reach === "any" || (actor.type !== "system" && post.ownerId === actor.userId)) return true;
  const live = await content.posts.getLive(website.id, id);
  return live !== null && (live.content.slug === slug || live.pastSlugs.includes(slug));
}
