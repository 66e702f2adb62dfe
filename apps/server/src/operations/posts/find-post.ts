import { z } from "zod";
import { isWithinReach } from "#domain/access";
import { notFound } from "#domain/failure";
import type { PostId } from "#domain/ids";
import { slugsOf } from "#domain/post-life";
import { isSlug } from "#domain/slug";
import { websiteOperation } from "../kernel/operation.ts";

/** Finds the post behind an address, such as one that a person copied from the website. */
export const findPost = websiteOperation({
  name: "find_post",
  summary: "Find a post by its current slug or one it was published under.",
  permission: "post.read",
  input: { slug: z.string().refine(isSlug, "must be a slug, such as bread-at-home") },
  async run({ content, website, reach, actor }, { slug }): Promise<{ readonly id: PostId }> {
    const id = (await content.claims.owners(website.id, "post", [slug])).get(slug) as PostId | undefined;
    const post = id === undefined ? null : await content.posts.get(website.id, id);
    const isReached = post && isWithinReach(reach, actor, { ownerId: post.ownerId, published: post.status === "published" });
    // Of others' posts a contributor's store holds the addresses that readers know, not one that is only planned.
    if (!isReached || !slugsOf(post).has(slug)) throw notFound("post");
    return { id: post.id };
  },
  activity: "none",
});
