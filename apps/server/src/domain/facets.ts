import type { MediaId } from "#domain/ids";
import { mediaIdsBesideBody } from "#domain/media-ids";
import type { PostContent } from "#domain/post";

/** Facets narrow a list of posts: ids of terms and images, and this word. Ids never collide with it. */
export const FEATURED = "featured";

/** The images beside the body are read from the content each time: versions before counted none but the cover, and kept their ids without them. */
export function facetsOf(content: Omit<PostContent, "body">, mediaIds: readonly MediaId[]): readonly string[] {
  const { categoryIds, tagIds, authorIds } = content;
  const facets = new Set<string>([...categoryIds, ...tagIds, ...authorIds, ...mediaIds, ...mediaIdsBesideBody(content)]);
  if (content.featured) facets.add(FEATURED);
  return [...facets];
}
