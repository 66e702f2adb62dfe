const DAY = 86_400_000;

/** Days such as 2026-11-15, counted without any time zone. */
const addDays = (day: string, count: number): string => new Date(Date.parse(day) + count * DAY).toISOString().slice(0, 10);

/** The whole weeks that show a month (2026-11): four to six, from the first day of the week on. `firstDay`: 1 Monday … 7 Sunday. */
export function weeksOf(month: string, firstDay: number): readonly (readonly string[])[] {
  const first = `${month}-01`;
  const weekday = new Date(first).getUTCDay() || 7;
  const start = addDays(first, -((weekday - firstDay + 7) % 7));
  const end = `${addMonths(month, 1)}-01`;
  const weeks: string[][] = [];
  for (let monday = start; monday < end; monday = addDays(monday, 7)) {
    weeks.push(Array.from({ length: 7 }, (_, index) => addDays(monday, index)));
  }
  return weeks;
}

export const dayAfter = (day: string): string => addDays(day, 1);

export function addMonths(month: string, count: number): string {
  const date = new Date(`${month}-01`);
  date.setUTCMonth(date.getUTCMonth() + count);
  return date.toISOString().slice(0, 7);
}

/** The first day of the week in the reader's country: Sunday in some, Monday in most. */
export function firstDayOfWeek(language: string): number {
  const locale = new Intl.Locale(language) as Intl.Locale & { getWeekInfo?: () => { firstDay: number } };
  return locale.getWeekInfo?.().firstDay ?? 1;
}

/** Reads the month from the address, such as 2026-11. Invalid months are left out, and so are years without posts. */
export function readMonthSearch({ month }: Record<string, unknown>): { month?: string } {
  return typeof month === "string" && /^(?:19|2\d)\d\d-(0[1-9]|1[0-2])$/.test(month) ? { month } : {};
}
