import type { WebsiteId } from "#domain/ids";
import type { LivePost } from "#domain/post";
import type { After, ListPage } from "#ports/list-page";

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
