import { fail } from "#domain/failure";
import { planWords } from "#domain/plan-words";
import { websiteOperation } from "../kernel/operation.ts";
import { daysOf, type Period, periodShape } from "./helpers/period.ts";

/** Requests with one kind of answer: 2 for 2xx and so on. */
interface ByStatus {
  readonly statusClass: number;
  readonly requests: number;
  /** One number for each day of the period. */
  readonly perDay: readonly number[];
}

export interface TrafficAnswer {
  readonly period: Period;
  /** Every day of the period (UTC), oldest first; today is the last. */
  readonly days: readonly string[];
  readonly total: number;
  readonly byStatus: readonly ByStatus[];
  /** The busiest first; `route` is a pattern such as `/blog/posts/{slugOrId}`. */
  readonly routes: readonly {
    readonly route: string;
    readonly requests: number;
    readonly perDay: readonly number[];
    readonly byStatus: readonly { readonly statusClass: number; readonly requests: number }[];
  }[];
}

export const getTraffic = websiteOperation({
  name: "get_traffic",
  summary: "Show the requests of a website by endpoint, day and kind of answer (not on the free plan).",
  permission: "workspace.read",
  input: { ...periodShape },
  async run({ services, workspace, website, now }, { period }): Promise<TrafficAnswer> {
    if (!services.plans[workspace.plan].trafficPerEndpoint) {
      throw fail(
        "PLAN_REQUIRED",
        `${planWords(workspace.plan).subject} does not include traffic by route. ${planWords(workspace.plan).include}`,
        { plan: workspace.plan, feature: "trafficPerEndpoint" },
      );
    }
    const days = daysOf(period, now);
    const rows = await services.platform.usage.traffic(website.id, days[0]!);
    const all = new Tally(days);
    const routes = new Map<string, Tally>();
    for (const row of rows) {
      const route = routes.get(row.route) ?? new Tally(days);
      routes.set(row.route, route);
      for (const tally of [all, route]) tally.add(row);
    }
    return {
      period,
      days,
      total: all.total,
      byStatus: all.byStatus(),
      routes: [...routes]
        .map(([route, tally]) => ({
          route,
          requests: tally.total,
          perDay: tally.perDay,
          byStatus: tally.byStatus().map(({ statusClass, requests }) => ({ statusClass, requests })),
        }))
        .toSorted((left, right) => right.requests - left.requests || (left.route < right.route ? -1 : 1)),
    };
  },
  activity: "none",
});

/** Requests added up by day and kind of answer. */
class Tally {
  total = 0;
  readonly perDay: number[];
  readonly #indexOfDay: ReadonlyMap<string, number>;
  readonly #statuses = new Map<number, { requests: number; readonly perDay: number[] }>();

  constructor(days: readonly string[]) {
    this.perDay = days.map(() => 0);
    this.#indexOfDay = new Map(days.map((day, index) => [day, index]));
  }

  add({ day, statusClass, requests }: { day: string; statusClass: number; requests: number }): void {
    const index = this.#indexOfDay.get(day);
    // Counted by a node whose clock runs ahead: it belongs to tomorrow.
    if (index === undefined) return;
    const status = this.#statuses.get(statusClass) ?? { requests: 0, perDay: this.perDay.map(() => 0) };
    this.#statuses.set(statusClass, status);
    status.requests += requests;
    status.perDay[index]! += requests;
    this.perDay[index]! += requests;
    this.total += requests;
  }

  byStatus(): readonly ByStatus[] {
    return [...this.#statuses]
      .map(([statusClass, counts]) => ({ statusClass, ...counts }))
      .toSorted((left, right) => left.statusClass - right.statusClass);
  }
}
