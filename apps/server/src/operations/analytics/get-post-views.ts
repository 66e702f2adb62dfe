import { postOperation } from "../kernel/operation.ts";
import { daysOf, type DayViews, filled, type Period, periodShape, previousStart, sumOf } from "./helpers/period.ts";

export interface PostViewsAnswer {
  readonly period: Period;
  /** Every day of the period (UTC), oldest first; today is the last. */
  readonly days: readonly DayViews[];
  readonly total: number;
  /** The total of as many days right before the period. */
  readonly previousTotal: number;
  /** Since the post was first read. */
  readonly totalEver: number;
}

export const getPostViews = postOperation({
  name: "get_post_views",
  summary: "Show how often one post was read, by day and in all.",
  permission: "post.read",
  input: { ...periodShape },
  async run({ services: { readers }, website, post, now }, { period }): Promise<PostViewsAnswer> {
    const days = daysOf(period, now);
    const since = days[0]!;
    const [perDay, [totalEver]] = await Promise.all([
      readers.perDayOfPost(website.id, post.id, previousStart(period, now)),
      readers.ofPost(website.id, post.id, [null]),
    ]);
    const ofPeriod = perDay.filter(({ day }) => day >= since);
    return {
      period,
      days: filled(days, ofPeriod),
      total: sumOf(ofPeriod),
      previousTotal: sumOf(perDay.filter(({ day }) => day < since)),
      totalEver: totalEver ?? 0,
    };
  },
  activity: "none",
});
