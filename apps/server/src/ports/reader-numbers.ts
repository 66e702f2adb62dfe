import type { PostId, WebsiteId } from "#domain/ids";
import type { Timestamp } from "#domain/time";

/** One view to be counted; who looked is only a keyed hash under a salt that is thrown away each day. */
export interface View {
  readonly websiteId: WebsiteId;
  readonly postId: PostId;
  readonly at: Timestamp;
  /** The host that led here, or null. */
  readonly referrer: string | null;
  /**
   * The visitor under each salt that is in force: in the first half hour of a day that of the day before comes first, so
   * that a person who reads over midnight is still one visitor.
   */
  readonly visitors: readonly [string, ...string[]];
}

/** Reader numbers stay with the service wherever the content lies. */
export interface ReaderNumbers {
  /**
   * Counts those whose visitor was not counted for the post in the 30 minutes before, on all nodes together; answers how
   * many. All or nothing: after an error the same views can be given again.
   */
  add(views: readonly View[]): Promise<number>;
  /** The salt of a day, the same on every node; made when it is first asked for. */
  saltOf(day: string): Promise<string>;
  /** The salt of a day that is over, while it is not forgotten yet. */
  saltLeft(day: string): Promise<string | null>;
  /** Throws away the salts of days before `day`, and up to `limit` records of visitors last counted before `before`; answers how many. */
  forget(day: string, before: Timestamp, limit: number): Promise<number>;
  /**
   * Forgets what was read on days before `day`: of each post, of each referrer, and together. How often a post was read ever is
   * not touched. Up to `limit` days of websites at a time; answers how many.
   */
  forgetDays(day: string, limit: number): Promise<number>;
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
  perDayOfPost(websiteId: WebsiteId, postId: PostId, since: string): Promise<readonly { day: string; views: number }[]>;
  /** Views of each of these posts, ever and since a day; one that was never read is left out. */
  ofPosts(
    websiteId: WebsiteId,
    postIds: readonly PostId[],
    since: string,
  ): Promise<readonly { postId: PostId; total: number; recent: number }[]>;
  /** Hosts that led to the website; which post they led to is not kept. */
  referrers(websiteId: WebsiteId, since: string, limit: number): Promise<readonly { referrer: string; views: number }[]>;
}
