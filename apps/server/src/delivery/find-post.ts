import { isId, type WebsiteId } from "#domain/ids";
import type { LivePostWithBody } from "#domain/post";
import { isSlug } from "#domain/slug";
import type { ContentStore } from "#ports/content-store";

export interface FoundPost {
  readonly post: LivePostWithBody;
  /** Set when it was reached by a slug it was live under before. */
  readonly slugRedirectedFrom?: string;
}

/** The published post with this id, this slug, or a slug it was ever live under. */
export async function findPost(content: ContentStore, websiteId: WebsiteId, slugOrId: string): Promise<FoundPost | null> {
  if (isId("post", slugOrId)) {
    const post = await content.posts.getLive(websiteId, slugOrId);
    return post && { post };
  }
  if (!isSlug(slugOrId)) return null;
  const post = await content.posts.getLiveBySlug(websiteId, slugOrId);
  if (!post) return null;
  if (post.content.slug === slugOrId) return { post };
  // A claim alone proves nothing: it may belong to a rename that is not live.
  return post.pastSlugs.includes(slugOrId) ? { post, slugRedirectedFrom: slugOrId } : null;
}
