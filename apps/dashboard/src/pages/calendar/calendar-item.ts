import type { Output } from "../../api/wire.ts";
import { dayIn } from "../../lib/zoned-time.ts";

export type CalendarItem = Output<"list_calendar">["items"][number];

/** The props of both views of a month. */
export interface MonthProps {
  readonly items: readonly CalendarItem[];
  /** Such as 2026-11. */
  readonly month: string;
  readonly today: string;
  readonly timeZone: string;
  readonly onMove: (postId: string) => void;
}

export const byDay = (items: readonly CalendarItem[], timeZone: string): ReadonlyMap<string, readonly CalendarItem[]> =>
  Map.groupBy(items, ({ at }) => dayIn(at, timeZone));

export const timeOf = (at: string, timeZone: string): string =>
  new Intl.DateTimeFormat(undefined, { timeStyle: "short", timeZone }).format(new Date(at));
