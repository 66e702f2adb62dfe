import type { PostSort, PostStatus, TermKind } from "@stet/contract";
import type { EventId, MediaId, PostId, RevisionId, TermId, UserId, WebsiteId } from "#domain/ids";
import type { FileMetadata, Media } from "#domain/media";
import type { PostHead } from "#domain/post-head";
import type { LivePost, LivePostWithBody, Post, PostSummary, Rendering, Revision, RevisionHead } from "#domain/post";
import type { Term } from "#domain/term";
import type { Timestamp } from "#domain/time";
import type { RecordsBeside } from "#ports/records-beside";
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

/** "stale": somebody saved a newer version, or it is gone; nothing was written. */
export type SaveResult = "saved" | "stale";

/**
 * Where a page goes on: the sort value of the last row seen (a timestamp, or a folded text), and its id to break ties.
 * A descending sort is the exact reverse of the ascending one: its ids descend too.
 */
export interface After {
  readonly key: string;
  readonly id: string;
}

export interface ListPage<Row> {
  readonly rows: readonly Row[];
  /** Set when another row exists after the last. */
  readonly next: After | null;
}

// ---------------------------------------------------------------------------------------------------------------- posts

/**
 * A facet is what live lists can be narrowed by: the id of a term, the id of an image, or `featured`.
 * Each inner list is "any of" (a term and those merged into it); the outer one is "all of".
 */
export type FacetFilter = readonly (readonly string[])[];

export const LIST_SORTS = ["-editedAt", "editedAt", "-createdAt", "createdAt", "title", "-title"] as const;
/** By publication only those of the asked-for posts come that are published: the others have no such moment. */
export const PUBLICATION_SORTS = ["-publishedAt", "publishedAt"] as const;
export type ListSort = (typeof LIST_SORTS | typeof PUBLICATION_SORTS)[number];

/** For people and tools: every status, the working copy. */
export interface PostListQuery {
  readonly statuses: readonly PostStatus[];
  /** Part of the working title, compared folded (domain/fold). */
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

/** For keys: published posts, the live copy. */
export interface LiveListQuery {
  readonly facets?: FacetFilter;
  readonly featured?: boolean;
  readonly sort: PostSort;
  readonly after: After | null;
  readonly limit: number;
}

export interface SaveOptions {
  /** True when what a key can see changes: raises the website's content version with the write. */
  readonly visible: boolean;
}

export interface PostStore {
  get(websiteId: WebsiteId, id: PostId): Promise<Post | null>;
  /** A new post, version 1; samples and imports bring a version of their own. "stale" when the id exists already. */
  insert(post: Post, options: SaveOptions): Promise<SaveResult>;
  /** Replaces the aggregate if the stored version is `post.version - 1`. */
  save(post: Post, options: SaveOptions): Promise<SaveResult>;
  /**
   * Writes everything that a save concerns in one commit, and leaves nothing pending. Only a store that lies in the platform's own
   * database has it; with any other, a save goes in steps (operations/posts/save-in-steps).
   */
  readonly saveWhole?: (save: WholeSave) => Promise<WholeSaveResult>;
  /** Removes it for good if the stored version is `version`, with its revisions. The claims are released separately. */
  purge(websiteId: WebsiteId, id: PostId, version: number): Promise<SaveResult>;
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

  listLive(websiteId: WebsiteId, query: LiveListQuery): Promise<ListPage<LivePost>>;
  getLive(websiteId: WebsiteId, id: PostId): Promise<LivePostWithBody | null>;
  /** Those of these posts that are published, in any order. */
  getManyLive(websiteId: WebsiteId, ids: readonly PostId[]): Promise<readonly LivePost[]>;
  /** The same for published posts and their live copy alone. */
  countLiveByFacet(websiteId: WebsiteId, groups: FacetFilter): Promise<readonly number[]>;

  /**
   * Settles what a save left pending: puts the revision (same id = replaced) and removes it and the named events from
   * the aggregate, without changing its version. Calling it again, or late, is harmless.
   */
  settle(websiteId: WebsiteId, id: PostId, settled: { eventIds: readonly EventId[]; revision: Revision | null }): Promise<void>;

  // For sweeps over the whole store; each answers at most `limit`, oldest first.
  listPending(limit: number): Promise<readonly Post[]>;
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

// --------------------------------------------------------------------------------------------------------------- search

export interface SearchQuery {
  /** The words that the reader typed. */
  readonly text: string;
  /** BCP 47 of the website; chooses the dictionary. */
  readonly language: string;
  /** The rank of the last hit seen, as the store wrote it, and its id. */
  readonly after: After | null;
  readonly limit: number;
}

export interface SearchHit {
  readonly post: LivePost;
  /** HTML in which only `<mark>` is markup. */
  readonly titleHighlight: string;
  readonly excerptHighlight: string;
}

/** Full-text search over the live copies of a website, best first: title over excerpt over body, blind to accents. */
export interface PostSearch {
  search(websiteId: WebsiteId, query: SearchQuery): Promise<ListPage<SearchHit>>;
  /** Indexes up to `limit` posts anew whose website changed its language; answers how many. For the sweep. */
  reindex(limit: number): Promise<number>;
}

// --------------------------------------------------------------------------------------------------------------- claims

/** Posts and each kind of term have slugs of their own. */
export type SlugSpace = "post" | TermKind;

export interface SlugClaim {
  readonly slug: string;
  readonly ownerId: string;
  readonly claimedAt: Timestamp;
}

/** `(website, space, slug) → owner`: taken before the owner is saved, so that two can never have the same slug. */
export interface SlugClaims {
  /** Takes it if it is free. Answers who has it now: compare with `ownerId`. Claiming one's own again renews `claimedAt`. */
  claim(websiteId: WebsiteId, space: SlugSpace, claim: SlugClaim): Promise<{ ownerId: string; fresh: boolean }>;
  /** The owner of each of these slugs. */
  owners(websiteId: WebsiteId, space: SlugSpace, slugs: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Gives it up if `ownerId` has it, and, where given, only if it was last claimed before `claimedBefore`. */
  release(websiteId: WebsiteId, space: SlugSpace, slug: string, ownerId: string, claimedBefore?: Timestamp): Promise<void>;
  /** Hands it from one owner to another in one step; false when `from` does not have it. */
  move(websiteId: WebsiteId, space: SlugSpace, slug: string, from: string, to: string): Promise<boolean>;
  /** All claims of the store that are older, walked by website, space and slug, for the sweep that frees what a crash left behind. */
  listClaimedBefore(
    before: Timestamp,
    after: { websiteId: WebsiteId; space: SlugSpace; slug: string } | null,
    limit: number,
  ): Promise<readonly (SlugClaim & { websiteId: WebsiteId; space: SlugSpace })[]>;
}

// ---------------------------------------------------------------------------------------------------- terms and images

interface TermListQuery {
  readonly kind: TermKind;
  readonly nameContains?: string;
  /** Only terms that a published post shows, with merged ones counted for their target. */
  readonly onlyLive?: boolean;
  /** By the folded name, ascending, then id. Merged terms are left out. */
  readonly after: After | null;
  readonly limit: number;
}

/** Terms, and everything else that is embedded into answers, are always visible to keys: each write raises the content version. */
export interface TermStore {
  get(websiteId: WebsiteId, id: TermId): Promise<Term | null>;
  getMany(websiteId: WebsiteId, ids: readonly TermId[]): Promise<readonly Term[]>;
  /** Terms merged into this one. */
  listMergedInto(websiteId: WebsiteId, id: TermId): Promise<readonly TermId[]>;
  /** Each of these with the terms merged into it, in the order given: the facets that stand for it in posts. */
  facetGroups(websiteId: WebsiteId, ids: readonly TermId[]): Promise<readonly (readonly TermId[])[]>;
  insert(term: Term): Promise<SaveResult>;
  save(term: Term): Promise<SaveResult>;
  delete(websiteId: WebsiteId, id: TermId, version: number): Promise<SaveResult>;
  list(websiteId: WebsiteId, query: TermListQuery): Promise<ListPage<Term>>;
  count(websiteId: WebsiteId): Promise<Readonly<Record<TermKind, number>>>;
}

export interface MediaListQuery {
  readonly nameContains?: string;
  readonly trashed?: boolean;
  /** Only images that a published post shows. */
  readonly onlyLive?: boolean;
  /** Only images that no post shows, be it in the trash, and that are none of these. */
  readonly unusedExcept?: readonly MediaId[];
  /** Newest first, then id descending. */
  readonly after: After | null;
  readonly limit: number;
}

export interface MediaRecords {
  get(websiteId: WebsiteId, id: MediaId): Promise<Media | null>;
  getMany(websiteId: WebsiteId, ids: readonly MediaId[]): Promise<readonly Media[]>;
  insert(media: Media): Promise<SaveResult>;
  save(media: Media): Promise<SaveResult>;
  delete(websiteId: WebsiteId, id: MediaId, version: number): Promise<SaveResult>;
  list(websiteId: WebsiteId, query: MediaListQuery): Promise<ListPage<Media>>;
  listDeletedBefore(before: Timestamp, limit: number): Promise<readonly Media[]>;
  /**
   * Replaces only what is known of the file, whatever the version is, and leaves that as it is: nobody edited the image. Raises the
   * content version. "stale" when it is gone.
   */
  saveFile(ref: MediaRef, file: { readonly bytes: number; readonly metadata: FileMetadata }): Promise<SaveResult>;
  /** All images of all websites, the trash included, walked by website and id. */
  listAll(after: MediaRef | null, limit: number): Promise<readonly Media[]>;
  /** Images whose file is "unchecked", the trash included, walked by website and id, for the sweep that strips them. */
  listUnchecked(after: MediaRef | null, limit: number): Promise<readonly Media[]>;
  /** How many images of all websites are not "stripped". */
  countNotStripped(): Promise<{ readonly unchecked: number; readonly unreadable: number }>;
}

export interface MediaRef {
  readonly websiteId: WebsiteId;
  readonly id: MediaId;
}

// ------------------------------------------------------------------------------------------------------------ revisions

export interface RevisionStore {
  get(websiteId: WebsiteId, postId: PostId, id: RevisionId): Promise<Revision | null>;
  latest(websiteId: WebsiteId, postId: PostId): Promise<RevisionHead | null>;
  /** Newest first (by `at`, then id), without content. */
  list(websiteId: WebsiteId, postId: PostId, page: { after: After | null; limit: number }): Promise<ListPage<RevisionHead>>;
  /** Same id = replaced. Used by imports and copies; a save goes through `PostStore.settle`. */
  put(revision: Revision): Promise<void>;
  /** Revisions that were never live and lie before `before`, walked by website, post and id (ids are made in time's order), for thinning. */
  listThinnable(
    before: Timestamp,
    after: { websiteId: WebsiteId; postId: PostId; id: RevisionId } | null,
    limit: number,
  ): Promise<readonly RevisionHead[]>;
  delete(websiteId: WebsiteId, postId: PostId, ids: readonly RevisionId[]): Promise<void>;
}

// ----------------------------------------------------------------------------------------------------------- change feed

const RECORD_KINDS = ["post", "term", "media", "revision", "beside"] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

export interface Change {
  readonly kind: RecordKind;
  readonly id: string;
  /** Of a revision: its post. */
  readonly postId?: PostId;
  /** The record is gone; it has nothing to copy. */
  readonly removed: boolean;
}

/**
 * Every record that was written, for copying a website to another store while writers go on. A record changed twice may
 * appear once, with its newest state. Nothing is skipped: a cursor never passes a write that may still be in flight.
 */
export interface ChangeFeed {
  /** `since: null` starts at the beginning and walks everything there is. */
  read(websiteId: WebsiteId, since: string | null, limit: number): Promise<{ changes: readonly Change[]; cursor: string }>;
}
