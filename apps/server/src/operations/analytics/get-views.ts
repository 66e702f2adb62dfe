import type { PostId } from "#domain/ids";
import { OTHER_REFERRERS } from "#domain/reader-rules";
import { isPlausibleHost } from "#domain/referrer";
import { websiteOperation } from "../kernel/operation.ts";
import { daysOf, type DayViews, filled, type Period, periodShape, previousStart, sumOf } from "./helpers/period.ts";

const MOST_POSTS = 20;
const MOST_REFERRERS = 20;
/** Some were kept before hosts were checked as closely as today; they must not hide those below them. */
const REFERRERS_READ = 3 * MOST_REFERRERS;

export interface ViewsAnswer {
  readonly period: Period;
  /** Every day of the period (UTC), oldest first; today is the last. */
  readonly days: readonly DayViews[];
  readonly total: number;
  /** The total of as many days right before the period. */
  readonly previousTotal: number;
  /** Most read first. Title and slug are those readers see; null when the post is not published any more. */
  readonly posts: readonly {
    readonly postId: PostId;
    readonly title: string | null;
    readonly slug: string | null;
    readonly views: number;
  }[];
  /** Hosts that led here, most first. */
  readonly referrers: readonly { readonly referrer: string; readonly views: number }[];
}

export const getViews = websiteOperation({
  name: "get_views",
  summary: "Show how often a website was read: by day, the most read posts, and where readers came from.",
  permission: "workspace.read",
  input: { ...periodShape },
  async run({ services: { readers }, content, website, now }, { period }): Promise<ViewsAnswer> {
    const days = daysOf(period, now);
    const since = days[0]!;
    const [perDay, ranking, referrers] = await Promise.all([
      readers.perDay(website.id, previousStart(period, now)),
      readers.mostRead(website.id, since, null, MOST_POSTS),
      readers.referrers(website.id, since, REFERRERS_READ),
    ]);
    const live = await content.posts.getManyLive(
      website.id,
      ranking.map(({ postId }) => postId),
    );
    const byId = new Map(live.map((post) => [post.id, post.content]));
    const ofPeriod = perDay.filter(({ day }) => day >= since);
    return {
      period,
      days: filled(days, ofPeriod),
      total: sumOf(ofPeriod),
      previousTotal: sumOf(perDay.filter(({ day }) => day < since)),
      posts: ranking.map(({ postId, views }) => {
        const shown = byId.get(postId);
        return { postId, title: shown?.title ?? null, slug: shown?.slug ?? null, views };
      }),
      referrers: referrers.filter(({ referrer }) => referrer === OTHER_REFERRERS || isPlausibleHost(referrer)).slice(0, MOST_REFERRERS),
    };
  },
  activity: "none",
});
