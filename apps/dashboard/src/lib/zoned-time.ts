/** Times of day in the website's time zone. A `Local` looks like 2026-11-15T09:30, as date-time fields have it. */
export type Local = string;

/** The person's time zone, as the browser names it. */
export function ownTimeZone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return !timeZone || timeZone === "Etc/Unknown" ? "UTC" : timeZone;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatIn(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  });
  formats.set(timeZone, made);
  return made;
}

export function toLocal(at: string | number, timeZone: string): Local {
  const parts = new Map(
    formatIn(timeZone)
      .formatToParts(new Date(at))
      .map(({ type, value }) => [type, value]),
  );
  const year = parts.get("year")?.padStart(4, "0");
  return `${year}-${parts.get("month")}-${parts.get("day")}T${parts.get("hour")}:${parts.get("minute")}`;
}

/** The day there, such as 2026-11-15. */
export const dayIn = (at: string | number, timeZone: string): string => toLocal(at, timeZone).slice(0, 10);

/**
 * The moment at which a clock there shows this. A time that summer skips becomes the one an hour later, as clocks do; of a
 * time that comes twice it is the first.
 */
export function fromLocal(local: Local, timeZone: string): string {
  const wanted = Date.parse(`${local}:00Z`);
  const shown = (at: number) => Date.parse(`${toLocal(at, timeZone)}:00Z`);
  // The offset is looked up a day before and after: a change of the clocks lies between the two, if there is one.
  const offsets = [wanted - 86_400_000, wanted + 86_400_000].map((near) => shown(near) - Math.floor(near / 60_000) * 60_000);
  const moments = offsets.map((offset) => wanted - offset);
  return new Date(moments.find((at) => shown(at) === wanted) ?? moments[0]!).toISOString();
}
