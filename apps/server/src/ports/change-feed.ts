import type { PostId, WebsiteId } from "#domain/ids";

export const RECORD_KINDS = ["post", "term", "media", "revision", "beside"] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

export interface Change {
  readonly kind: RecordKind;
  readonly id: string;
  /** Of a revision: its post. */
  readonly postId?: PostId;
  /** The record is gone; it has nothing to copy. */
  readonly removed: boolean;
}

export interface FeedPage {
  /** As many as were asked for, or fewer, whether more follow or not. */
  readonly changes: readonly Change[];
  /** Where the next page begins. */
  readonly cursor: string;
  /** Nothing followed these when they were read. */
  readonly atEnd: boolean;
}

/**
 * Every record that was written, for copying a website to another store while writers go on. A record changed twice may
 * appear once, with its newest state. Nothing is skipped: a cursor never passes a write that may still be in flight.
 */
export interface ChangeFeed {
  /**
   * `since: null` starts at the beginning and walks everything there is. With `upTo` it ends at that number of the feed: a walk up to the
   * newest of its beginning comes to an end, however fast others write. Where too much is being written to be told what is still to come,
   * it throws `Failure("UNAVAILABLE")`; a minute later it goes on.
   */
  read(websiteId: WebsiteId, since: string | null, limit: number, upTo?: number): Promise<FeedPage>;
  /** The number of the newest change; 0 where there is none. */
  newest(websiteId: WebsiteId): Promise<number>;
  /** About how many records the website has; what was removed is not counted. */
  count(websiteId: WebsiteId): Promise<number>;
}
