import { DEFAULT_POST_SORT, type PostSummaryJson } from "@stet/contract";
import type { ReadContext } from "./read-route.ts";
import { listLive, TERM_FILTERS, type TermFilters } from "./live-list.ts";
import { pageSize } from "./paging.ts";
import { limit } from "./parameters.ts";
import { sourceOf } from "./source-of.ts";
import { mediaIdsIn, presentBody } from "#present/body-images";
import { loadImages } from "#present/media";
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
  const { content, website } = context;
  const page = await listLive(context, query, { sort: DEFAULT_POST_SORT, after: null, limit: pageSize(query.limit) });
  const posts = await presentPosts(sourceOf(context), page.rows);
  const bodies = new Map<number, string>();
  let room = WHOLE_POSTS_CHARACTERS;
  for (const [position, { id }] of page.rows.entries()) {
    const html = (await content.posts.getLive(website.id, id))?.rendering.html;
    if (html === undefined || html.length > room) continue;
    room -= html.length;
    bodies.set(position, html);
  }
  const source = sourceOf(context);
  const images = await loadImages(
    source,
    [...bodies.values()].flatMap((html) => mediaIdsIn(html, website.id)),
  );
  return posts.map((post, position) => {
    const html = bodies.get(position);
    return { post, html: html === undefined ? null : presentBody(source, html, images) };
  });
}
