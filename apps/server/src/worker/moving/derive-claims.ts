import type { TermId } from "#domain/ids";
import type { Post } from "#domain/post";
import { slugsOf } from "#domain/post-life";
import type { Term } from "#domain/term";
import { slugsOfTerm } from "#operations/terms/helpers/term-view";
import type { ContentStore } from "#ports/content-store";

/**
 * Claims are in no change feed: they follow from the records. A slug that somebody was handed has one owner in the records as well, but the
 * records come one after the other, so the one before may still have it here.
 */
export async function claimPostSlugs({ claims, posts }: ContentStore, post: Post): Promise<void> {
  const { websiteId, id, editedAt: claimedAt } = post;
  for (const slug of slugsOf(post)) {
    const { ownerId } = await claims.claim(websiteId, "post", { slug, ownerId: id, claimedAt });
    if (ownerId === id) continue;
    const holder = await posts.get(websiteId, ownerId as Post["id"]);
    const isNewer = !holder || !slugsOf(holder).has(slug) || (holder.working.slug !== slug && holder.live?.content.slug !== slug);
    if (isNewer) await claims.move(websiteId, "post", slug, ownerId, id);
  }
}

/** The slug of a merged term belongs to it until the one it leads to takes it. */
export async function claimTermSlugs({ claims, terms }: ContentStore, term: Term): Promise<void> {
  const { websiteId, kind, id, updatedAt: claimedAt } = term;
  for (const slug of slugsOfTerm(term)) {
    const { ownerId } = await claims.claim(websiteId, kind, { slug, ownerId: id, claimedAt });
    if (ownerId === id) continue;
    const holder = await terms.get(websiteId, ownerId as TermId);
    if (!holder || holder.mergedInto === id || !slugsOfTerm(holder).includes(slug)) await claims.move(websiteId, kind, slug, ownerId, id);
  }
}
