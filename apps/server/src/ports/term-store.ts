import type { TermKind } from "@stet/contract";
import type { TermId, WebsiteId } from "#domain/ids";
import type { Term } from "#domain/term";
import type { After, ListPage } from "#ports/list-page";
import type { SaveResult } from "#ports/save-result";

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
  /** As for posts. */
  putIfNewer(term: Term): Promise<SaveResult>;
  delete(websiteId: WebsiteId, id: TermId, version: number): Promise<SaveResult>;
  list(websiteId: WebsiteId, query: TermListQuery): Promise<ListPage<Term>>;
  count(websiteId: WebsiteId): Promise<Readonly<Record<TermKind, number>>>;
}
