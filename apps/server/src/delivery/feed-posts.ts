import { DEFAULT_POST_SORT, type PostSummaryJson } from "@stet/contract";
import { absoluteImages } from "#domain/absolute-urls";
import type { ReadContext } from "./read-route.ts";
import { listLive, TERM_FILTERS, type TermFilters } from "./live-list.ts";
import { pageSize } from "./paging.ts";
import { limit } from "./parameters.ts";
import { sourceOf } from "./source-of.ts";
import { presentPosts } from "#present/posts";

/** HTML in one feed, in characters. Beyond it posts come with their excerpt only: readers of feeds fetch them often. */
const WHOLE_POSTS_CHARACTERS = 2 * 1024 * 1024;

/** A feed can be cut to size, or be that of one category, tag or author. */
export const FEED_QUERY = { limit, ...TERM_FILTERS } as const;

export interface FeedPost {
  readonly post: PostSummaryJson;
  readonly html: string | null;
}

/** The newest posts, each with its body while there is room. */
export async function feedPosts(context: ReadContext, query: TermFilters & { readonly limit?: number | undefined }): Promise<FeedPost[]> {
  const { content, website, services } = context;
  const page = await listLive(context, query, { sort: DEFAULT_POST_SORT, after: null, limit: pageSize(query.limit) });
  const posts = await presentPosts(sourceOf(context), page.rows);
  const found: FeedPost[] = [];
  let room = WHOLE_POSTS_CHARACTERS;
  for (const [position, post] of posts.entries()) {
    const whole = await content.posts.getLive(website.id, page.rows[position]!.id);
    const html = whole && absoluteImages(whole.rendering.html, website.id, services.publicUrl);
    const fits = html !== null && html.length <= room;
    if (fits) room -= html.length;
    found.push({ post, html: fits ? html : null });
  }
  return found;
}
