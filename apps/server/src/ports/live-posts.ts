import type { PostSort } from "@stet/contract";
import type { PostId, WebsiteId } from "#domain/ids";
import type { LivePost, LivePostWithBody } from "#domain/post";
import type { Timestamp } from "#domain/time";
import type { After, ListPage } from "#ports/list-page";

/**
 * A facet is what live lists can be narrowed by: the id of a term, the id of an image, or `featured`.
 * Each inner list is "any of" (a term and those merged into it); the outer one is "all of".
 */
export type FacetFilter = readonly (readonly string[])[];

/** For keys: published posts, the live copy. */
export interface LiveListQuery {
  readonly facets?: FacetFilter;
  readonly featured?: boolean;
  readonly sort: PostSort;
  readonly after: After | null;
  readonly limit: number;
}

/** What keys read of posts. */
export interface LivePosts {
  listLive(websiteId: WebsiteId, query: LiveListQuery): Promise<ListPage<LivePost>>;
  /** The same list, for callers who know most of its posts. */
  listLiveIds(websiteId: WebsiteId, query: LiveListQuery): Promise<ListPage<PostId>>;
  /** Where published posts are found, by creation: all that a sitemap says of them, for a part of the work. */
  listAddresses(websiteId: WebsiteId, page: { readonly after: After | null; readonly limit: number }): Promise<ListPage<PostAddress>>;
  /** The published post so many places further, by creation, if another follows it. Reads an index and no post. */
  skipLive(websiteId: WebsiteId, after: After | null, count: number): Promise<After | null>;
  getLive(websiteId: WebsiteId, id: PostId): Promise<LivePostWithBody | null>;
  /** The published post that has claimed this slug, under which it may not be live. */
  getLiveBySlug(websiteId: WebsiteId, slug: string): Promise<LivePostWithBody | null>;
  /** Those of these posts that are published, in any order. */
  getManyLive(websiteId: WebsiteId, ids: readonly PostId[]): Promise<readonly LivePost[]>;
  /** How many published posts show any facet of each group in their live copy, as `PostStore.countByFacet` counts working copies. */
  countLiveByFacet(websiteId: WebsiteId, groups: FacetFilter): Promise<readonly number[]>;
  /** Former slugs of published posts, by the post's id, then by slug: `after` names the last one seen, `key` its slug and `id` its post. */
  listPastSlugs(websiteId: WebsiteId, page: { readonly after: After | null; readonly limit: number }): Promise<ListPage<PastSlug>>;
}

/** Where a published post is found. */
export interface PostAddress {
  readonly slug: string;
  readonly updatedAt: Timestamp;
  readonly noindex: boolean;
}

/** A slug that a published post was live under before. */
export interface PastSlug {
  readonly slug: string;
  readonly currentSlug: string;
  readonly postId: PostId;
}
