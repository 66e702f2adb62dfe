import { DAY } from "#domain/time";

/** A day and its month in UTC, as usage is counted. */
export interface UtcDay {
  /** Such as `2026-11-15`. */
  readonly day: string;
  /** Such as `2026-11`. */
  readonly month: string;
  /** The day's first millisecond, and the one after its last. */
  readonly start: number;
  readonly end: number;
  /** When the next month begins. */
  readonly monthEnd: number;
}

export function utcDay(now: number): UtcDay {
  const start = Math.floor(now / DAY) * DAY;
  const date = new Date(start);
  const day = date.toISOString().slice(0, 10);
  return {
    day,
    month: day.slice(0, 7),
    start,
    end: start + DAY,
    monthEnd: Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1),
  };
}
