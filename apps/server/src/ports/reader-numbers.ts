import type { PostId, WebsiteId } from "#domain/ids";

/** One view to be counted; who looked is only a hash under a salt that is thrown away each day. */
export interface View {
  readonly websiteId: WebsiteId;
  readonly postId: PostId;
  /** UTC, such as `2026-11-15`. */
  readonly day: string;
  /** The host that led here, or null. */
  readonly referrer: string | null;
  readonly visitor: string;
  /** Views of one visitor of one post within the same window of 30 minutes are one, on all nodes together. */
  readonly window: number;
}

/** Reader numbers stay with the service wherever the content lies. */
export interface ReaderNumbers {
  /** Counts each once; answers how many were new. */
  add(views: readonly View[]): Promise<number>;
  /** The salt of a day, the same on every node; made when it is first asked for, forgotten when the day is over. */
  saltOf(day: string): Promise<string>;
  /** Views of one post since each of these days (null = ever). */
  ofPost(websiteId: WebsiteId, postId: PostId, since: readonly (string | null)[]): Promise<readonly number[]>;
  /** The most read posts since a day, most first, then by id. */
  mostRead(
    websiteId: WebsiteId,
    since: string | null,
    after: { views: number; id: string } | null,
    limit: number,
  ): Promise<readonly { postId: PostId; views: number }[]>;
  /** For the dashboard. */
  perDay(websiteId: WebsiteId, since: string): Promise<readonly { day: string; views: number }[]>;
  referrers(websiteId: WebsiteId, since: string, limit: number): Promise<readonly { referrer: string; views: number }[]>;
}
