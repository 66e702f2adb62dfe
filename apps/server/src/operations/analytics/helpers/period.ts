import { z } from "zod";
import { dayOf } from "#domain/reader-rules";
import { DAY, millis, type Timestamp } from "#domain/time";

const DAYS = { "7d": 7, "30d": 30, "90d": 90 } as const;
export type Period = keyof typeof DAYS;

export const periodShape = { period: z.enum(Object.keys(DAYS) as [Period, ...Period[]]).default("30d") };

export interface DayViews {
  /** UTC, such as 2026-11-15. */
  readonly day: string;
  readonly views: number;
}

/** Every day of a period in UTC, oldest first. Today is one of them, so "7d" begins six days ago. */
export function daysOf(period: Period, now: Timestamp): readonly string[] {
  const count = DAYS[period];
  return Array.from({ length: count }, (_, index) => dayOf(millis(now) - (count - 1 - index) * DAY));
}

/** The first day of the period before, which the numbers are compared with. */
export const previousStart = (period: Period, now: Timestamp): string => dayOf(millis(now) - (2 * DAYS[period] - 1) * DAY);

/** Days on which nobody came have no row; a chart needs them all the same. */
export function filled(days: readonly string[], rows: readonly DayViews[]): readonly DayViews[] {
  const known = new Map(rows.map(({ day, views }) => [day, views]));
  return days.map((day) => ({ day, views: known.get(day) ?? 0 }));
}

export const sumOf = (rows: readonly DayViews[]): number => rows.reduce((sum, { views }) => sum + views, 0);
