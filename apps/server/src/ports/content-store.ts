import type { PostStatus } from "@stet/contract";
import type { EventId, PostId, UserId, WebsiteId } from "#domain/ids";
import type { PostHead } from "#domain/post-head";
import type { Post, PostSummary, Rendering, Revision } from "#domain/post";
import type { Timestamp } from "#domain/time";
import type { ChangeFeed } from "#ports/change-feed";
import type { After, ListPage } from "#ports/list-page";
import type { FacetFilter, LivePosts } from "#ports/live-posts";
import type { MediaRecords } from "#ports/media-records";
import type { PostSearch } from "#ports/post-search";
import type { RecordsBeside } from "#ports/records-beside";
import type { RevisionStore } from "#ports/revision-store";
import type { SaveResult } from "#ports/save-result";
import type { SlugClaims } from "#ports/slug-claims";
import type { TermStore } from "#ports/term-store";
import type { WholeSave, WholeSaveResult } from "#ports/whole-save";

/**
 * Where the content of websites lies. Two adapters, PostgreSQL and MongoDB, pass one suite
 * (test/content-store-contract). What every adapter promises:
 *
 * - Each write is one aggregate, atomic, durable when the promise resolves. Only `saveWhole` spans more, where there is one.
 * - Every method takes the website: an id of another website is "not there".
 * - Text compares by code point, times to the millisecond, in every list, so that both engines page in one order.
 * - A connection that fails throws `Failure("CONTENT_STORE_UNAVAILABLE")`; anything else thrown is a bug.
 */
export interface ContentStore {
  readonly posts: PostStore;
  readonly claims: SlugClaims;
  readonly terms: TermStore;
  readonly media: MediaRecords;
  readonly revisions: RevisionStore;
  readonly beside: RecordsBeside;
  readonly feed: ChangeFeed;
  readonly search: PostSearch;
  /** Removes up to `limit` records of the website; true when nothing is left. */
  eraseWebsite(websiteId: WebsiteId, limit: number): Promise<boolean>;
  close(): Promise<void>;
}

export const LIST_SORTS = ["-editedAt", "editedAt", "-createdAt", "createdAt", "title", "-title"] as const;
/** By publication only those of the asked-for posts come that are published: the others have no such moment. */
export const PUBLICATION_SORTS = ["-publishedAt", "publishedAt"] as const;
export type ListSort = (typeof LIST_SORTS | typeof PUBLICATION_SORTS)[number];

/** For people and tools: every status, the working copy. */
export interface PostListQuery {
  readonly statuses: readonly PostStatus[];
  /** Part of the working title, compared folded (domain/fold). A page can then be short or empty and still have a `next`. */
  readonly titleContains?: string;
  /** Terms of the working copy, or images it shows. */
  readonly facets?: FacetFilter;
  /** Only what this person wrote, or what is published: a contributor's view. */
  readonly ownOrPublished?: UserId;
  readonly ownerId?: UserId;
  readonly editedByTool?: boolean;
  readonly reviewRequested?: boolean;
  /** Only published posts whose working copy differs from what is live. */
  readonly hasUnpublishedChanges?: true;
  readonly sort: ListSort;
  readonly after: After | null;
  readonly limit: number;
}

/** For the calendar: what is planned and what appeared, by the moment it does. */
export interface DatedQuery {
  readonly statuses: readonly ("scheduled" | "published")[];
  readonly from: Timestamp;
  /** The first moment that is not part of it. */
  readonly to: Timestamp;
  /** Only what this person wrote, or what is published: a contributor's view. */
  readonly ownOrPublished?: UserId;
  readonly limit: number;
}

export interface DatedPost {
  readonly id: PostId;
  /** Of the working copy while scheduled, of the live copy once published. */
  readonly title: string;
  readonly status: "scheduled" | "published";
  readonly at: Timestamp;
}

export interface SaveOptions {
  /** True when what a key can see changes: raises the website's content version with the write. */
  readonly visible: boolean;
}

export interface PostStore extends LivePosts {
  get(websiteId: WebsiteId, id: PostId): Promise<Post | null>;
  /** A new post, version 1; samples and imports bring a version of their own. "stale" when the id exists already. */
  insert(post: Post, options: SaveOptions): Promise<SaveResult>;
  /** Replaces the aggregate if the stored version is `post.version - 1`. */
  save(post: Post, options: SaveOptions): Promise<SaveResult>;
  /** For copies: writes it unless the stored one is newer, whatever versions lie between. Nobody reads a copy, so no version of content rises. */
  putIfNewer(post: Post): Promise<SaveResult>;
  /**
   * Writes everything that a save concerns in one commit, and leaves nothing pending. Only a store that lies in the platform's own
   * database has it; with any other, a save goes in steps (operations/posts/save-in-steps).
   */
  readonly saveWhole?: (save: WholeSave) => Promise<WholeSaveResult>;
  /** Removes it for good if the stored version is `version`, with its revisions. The claims are released separately. */
  purge(websiteId: WebsiteId, id: PostId, version: number): Promise<SaveResult>;
  /**
   * With `titleContains` one answer looks at a bounded number of titles: what it has not found yet comes on the pages after it. Only a
   * page without `next` is the last, however many rows it has.
   */
  list(websiteId: WebsiteId, query: PostListQuery): Promise<ListPage<PostSummary>>;
  /** The same posts, a line each: for less than half of the work. */
  listHeads(websiteId: WebsiteId, query: PostListQuery): Promise<ListPage<PostHead>>;
  /** Earliest first, then by id. */
  listDated(websiteId: WebsiteId, query: DatedQuery): Promise<readonly DatedPost[]>;
  countByStatus(websiteId: WebsiteId, ownOrPublished?: UserId): Promise<Readonly<Record<PostStatus, number>>>;
  /**
   * How many posts (not in the trash) show any facet of each group in their working copy or, while published, live copy:
   * where-used. One number per group, in their order; a post with two facets of a group counts once.
   */
  countByFacet(websiteId: WebsiteId, groups: FacetFilter): Promise<readonly number[]>;

  /**
   * Settles what a save left pending: puts the revision (same id = replaced) and removes it and the named events from
   * the aggregate, without changing its version. Calling it again, or late, is harmless.
   */
  settle(websiteId: WebsiteId, id: PostId, settled: { eventIds: readonly EventId[]; revision: Revision | null }): Promise<void>;

  // For sweeps over the whole store; each answers at most `limit`, oldest first.
  listPending(limit: number): Promise<readonly Post[]>;
  /** Finishes up to `limit` writes whose process died between their steps. In a store whose writes have one step it does nothing. */
  finishInterrupted(limit: number): Promise<void>;
  /** Counts up to `limit` posts for `countByFacet` that an earlier version wrote; answers how many, 0 when none is left. */
  countOlder(limit: number): Promise<number>;
  listDeletedBefore(before: Timestamp, limit: number): Promise<readonly PostRef[]>;
  /** Posts whose live copy was made by an older renderer. */
  listRenderedBefore(rendererVersion: number, limit: number): Promise<readonly PostRef[]>;
  /** Replaces only the rendering of the live copy, if the post still has `version`; raises the content version. */
  saveRendering(ref: PostRef, version: number, rendering: Rendering): Promise<SaveResult>;
}

export interface PostRef {
  readonly websiteId: WebsiteId;
  readonly id: PostId;
}
