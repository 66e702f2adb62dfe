import type { WebsiteId } from "#domain/ids";
import type { JsonObject } from "#domain/json";
import type { Timestamp } from "#domain/time";
import type { After, ListPage } from "#ports/list-page";
import type { SaveResult } from "#ports/save-result";

/**
 * A record that stands beside content and is none itself: a connected tool's suggestion, or what a term or an image was before a
 * change. It holds people's words, so it lies where the content lies. Readers never see it.
 */
export interface RecordBeside {
  readonly websiteId: WebsiteId;
  readonly id: string;
  readonly kind: "suggestion" | "change";
  /** The post, term or image it is about. */
  readonly targetId: string;
  /** Of this record: 1 when it is made, one more with every save. */
  readonly version: number;
  /** It waits for a person. */
  readonly open: boolean;
  readonly at: Timestamp;
  readonly data: JsonObject;
}

export interface RecordsBesideQuery {
  readonly kind: RecordBeside["kind"];
  readonly targetId?: string;
  readonly open?: true;
  /** Newest first (by `at`, then id). */
  readonly after: After | null;
  readonly limit: number;
}

export interface RecordsBeside {
  get(websiteId: WebsiteId, id: string): Promise<RecordBeside | null>;
  insert(record: RecordBeside): Promise<SaveResult>;
  save(record: RecordBeside): Promise<SaveResult>;
  /** As for posts. */
  putIfNewer(record: RecordBeside): Promise<SaveResult>;
  list(websiteId: WebsiteId, query: RecordsBesideQuery): Promise<ListPage<RecordBeside>>;
  /** How many of a kind are open. */
  countOpen(websiteId: WebsiteId, kind: RecordBeside["kind"]): Promise<number>;
  delete(websiteId: WebsiteId, ids: readonly string[]): Promise<void>;
  /** Of all websites of the store: those that are not open and lie before `before`, oldest first, for the sweep. */
  listClosedBefore(before: Timestamp, limit: number): Promise<readonly Pick<RecordBeside, "websiteId" | "id">[]>;
}
