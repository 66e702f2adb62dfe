import type { PostId, RevisionId, WebsiteId } from "#domain/ids";
import type { Revision, RevisionHead } from "#domain/post";
import type { Timestamp } from "#domain/time";
import type { After, ListPage } from "#ports/list-page";
import type { SaveResult } from "#ports/save-result";

export interface RevisionStore {
  get(websiteId: WebsiteId, postId: PostId, id: RevisionId): Promise<Revision | null>;
  latest(websiteId: WebsiteId, postId: PostId): Promise<RevisionHead | null>;
  /** Newest first (by `at`, then id), without content. */
  list(websiteId: WebsiteId, postId: PostId, page: { after: After | null; limit: number }): Promise<ListPage<RevisionHead>>;
  /** Same id = replaced. Used by imports; a save goes through `PostStore.settle`. */
  put(revision: Revision): Promise<void>;
  /** As for posts: a revision that grew here since stays. */
  putIfNewer(revision: Revision): Promise<SaveResult>;
  /**
   * Revisions that were never live, lie before `before` and were not kept yet, walked by website, post and id (ids are made in time's order),
   * for thinning.
   */
  listThinnable(
    before: Timestamp,
    after: { websiteId: WebsiteId; postId: PostId; id: RevisionId } | null,
    limit: number,
  ): Promise<readonly RevisionHead[]>;
  /** Thinning leaves these for good, and need not look at them again. */
  keep(heads: readonly Pick<RevisionHead, "websiteId" | "postId" | "id">[]): Promise<void>;
  delete(websiteId: WebsiteId, postId: PostId, ids: readonly RevisionId[]): Promise<void>;
}
