import type { Input } from "../../api/wire.ts";

/** The filters as they stand in the address, so that a view of the log can be passed on. */
export interface ActivityFilter {
  readonly person?: string;
  readonly by?: "user" | "tool" | "system";
  readonly action?: string;
  readonly website?: string;
  /** The last so many days, or a span of days such as 2026-11-01..2026-11-15. */
  readonly time?: string;
}

export const SPANS = { "1": "Today", "7": "Last 7 days", "30": "Last 30 days", "90": "Last 90 days" } as const;

const DAY = /^\d{4}-\d{2}-\d{2}$/;

export function activityFilter(search: Record<string, unknown>): ActivityFilter {
  const text = (key: string) => (typeof search[key] === "string" || typeof search[key] === "number" ? String(search[key]) : undefined);
  const [person, by, action, website, time] = ["person", "by", "action", "website", "time"].map(text);
  return {
    ...(person && { person }),
    ...((by === "user" || by === "tool" || by === "system") && { by }),
    ...(action && { action }),
    ...(website && { website }),
    ...(time && { time }),
  };
}

/** First and last day of a span that was typed; null when it is one of the ready ones. */
export function daysOf(time: string | undefined): { first: string; last: string } | null {
  if (!time?.includes("..")) return null;
  const [first = "", last = ""] = time.split("..");
  return { first: DAY.test(first) ? first : "", last: DAY.test(last) ? last : "" };
}

/** The input of the request. It names whole days of this browser's clock, so that the same filter is the same request. */
export function inputOf(filter: ActivityFilter): Partial<Input<"list_activity">> {
  const { person, by, action, website, time } = filter;
  const days = daysOf(time);
  const from = days ? days.first && startOf(days.first, 0) : time && time in SPANS ? daysAgo(Number(time) - 1) : "";
  const to = days?.last ? startOf(days.last, 1) : "";
  return {
    ...(person && { userId: person }),
    ...(by && { actorType: by }),
    ...(action && { action }),
    ...(website && { websiteId: website }),
    ...(from && { from }),
    ...(to && { to }),
  };
}

function startOf(day: string, later: number): string {
  const date = new Date(`${day}T00:00:00`);
  date.setDate(date.getDate() + later);
  return date.toISOString();
}

function daysAgo(days: number): string {
  const date = new Date();
  date.setHours(0, 0, 0, 0);
  date.setDate(date.getDate() - days);
  return date.toISOString();
}
