import type { MediaId } from "#domain/ids";
import type { PostContent } from "#domain/post";

/** Facets narrow a list of posts: ids of terms and images, and this word. Ids never collide with it. */
export const FEATURED = "featured";

export function facetsOf(content: Omit<PostContent, "body">, mediaIds: readonly MediaId[]): readonly string[] {
  const facets = new Set<string>([...content.categoryIds, ...content.tagIds, ...content.authorIds, ...mediaIds]);
  if (content.coverMediaId) facets.add(content.coverMediaId);
  if (content.featured) facets.add(FEATURED);
  return [...facets];
}
