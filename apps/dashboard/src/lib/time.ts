// Always a number: 30 hours ago may be the day before yesterday, and "yesterday" would be wrong then.
const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: "always" });
/** In seconds, each with the next smaller. */
const UNITS = [
  ["year", 31_557_600, 2_629_800],
  ["month", 2_629_800, 604_800],
  ["week", 604_800, 86_400],
  ["day", 86_400, 3_600],
  ["hour", 3_600, 60],
  ["minute", 60, 1],
] as const;

/** "3 hours ago", "in 2 days", "just now". What rounds to 60 minutes is an hour. */
export function relativeTime(at: string, now = Date.now()): string {
  const seconds = (Date.parse(at) - now) / 1_000;
  for (const [unit, size, smaller] of UNITS) {
    if (Math.round(Math.abs(seconds) / smaller) * smaller >= size) return RELATIVE.format(Math.round(seconds / size), unit);
  }
  return "just now";
}

export function formatDateTime(at: string, timeZone?: string): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short", ...(timeZone && { timeZone }) }).format(
    new Date(at),
  );
}

/** To the second: for what happens several times a minute. */
export const formatMoment = (at: string): string =>
  new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" }).format(new Date(at));

export function formatDate(at: string, timeZone?: string): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: "medium", ...(timeZone && { timeZone }) }).format(new Date(at));
}

const DAY = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });

/** "15 Nov", for a day such as 2026-11-15. */
export const formatDay = (day: string): string => DAY.format(new Date(day));
