import { isWithinReach, reachOf } from "#domain/access";
import { type Failure, fail } from "#domain/failure";
import type { PostId } from "#domain/ids";
import type { Post } from "#domain/post";
import { slugsOf } from "#domain/post-life";
import { slugCandidates, slugFrom } from "#domain/slug";
import type { InWebsite, OnPost } from "../../kernel/operation.ts";

/** The refusal of a slug that another post has, with whose it is. */
export async function slugTaken({ content, website }: InWebsite, slug: string): Promise<Failure> {
  const postId = (await content.claims.owners(website.id, "post", [slug])).get(slug);
  return fail("SLUG_TAKEN", `Another post of this website has the slug "${slug}". Choose another one.`, { slug, postId });
}

/** Stores a post with the first slug made from its title that is free. `store` answers null when another post has the slug. */
export async function storeWithSlugFromTitle(
  { content, website }: InWebsite,
  { id, title }: { readonly id: PostId; readonly title: string },
  store: (slug: string) => Promise<Post | null>,
): Promise<Post> {
  const [first, ...others] = slugCandidates(slugFrom(title));
  const stored = await store(first!);
  if (stored) return stored;
  // Those of others are left out in one question: many posts begin as "Untitled".
  const owners = await content.claims.owners(website.id, "post", others);
  for (const slug of others) {
    const post = (owners.get(slug) ?? id) === id ? await store(slug) : null;
    if (post) return post;
  }
  throw fail("SLUG_TAKEN", "No free slug was found for this title. Set one by hand.");
}

/**
 * A slug that still redirects to another post goes to this one only when a person who may edit both has confirmed it by
 * naming the other. Readers of the old address then see this post: a tool never decides that. Where an attempt before was cut off
 * between its writes, this one goes on from there.
 */
export async function takeSlugFrom(context: OnPost, slug: string, otherId: PostId): Promise<void> {
  const { actor, content, website, workspace, role, post } = context;
  if (actor.type === "tool")
    throw fail("GRANT_FORBIDS", "Connected apps cannot take over an address that redirects. A person can, in the dashboard.");
  const other = await content.posts.get(website.id, otherId);
  const reach = reachOf(actor, "post.write", { workspaceId: workspace.id, role });
  if (!other || !isWithinReach(reach, actor, { ownerId: other.ownerId, published: other.status === "published" }))
    throw taken(slug, otherId);
  if (slugsOf(other).has(slug)) {
    if (!redirects(other, slug)) throw taken(slug, otherId);
    const next: Post = { ...other, version: other.version + 1, pastSlugs: other.pastSlugs.filter((past) => past !== slug) };
    if ((await content.posts.save(next, { visible: true })) === "stale") {
      throw fail("VERSION_CONFLICT", "Someone just changed the other post. Try again.", { postId: otherId });
    }
  } else {
    const owner = (await content.claims.owners(website.id, "post", [slug])).get(slug);
    if (owner === undefined || owner === post.id) return;
  }
  if (!(await content.claims.move(website.id, "post", slug, otherId, post.id))) throw taken(slug, otherId);
}

/** Only a redirect can be taken; a slug that the other post uses, or is about to use, is its own. */
function redirects(other: Post, slug: string): boolean {
  return other.pastSlugs.includes(slug) && other.working.slug !== slug && other.live?.content.slug !== slug;
}

const taken = (slug: string, postId: PostId) =>
  fail("SLUG_TAKEN", `The slug "${slug}" cannot be taken from that post. Choose another one.`, { slug, postId });
