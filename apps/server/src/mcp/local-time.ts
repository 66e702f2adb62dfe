import { MINUTE } from "#domain/time";

const LOCAL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?$/;

/** The local time there, with its weekday and offset: a model that reckons with days and summer time errs. */
export function wallClock(moment: Date, timeZone: string): string {
  const weekday = new Intl.DateTimeFormat("en", { timeZone, weekday: "long" }).format(moment);
  const minutes = offsetMinutes(moment, timeZone);
  const shown = new Date(moment.getTime() + minutes * MINUTE).toISOString().slice(0, 16);
  return `${weekday} ${shown}${offsetText(minutes)}`;
}

/** A time on a wall there as a moment that says its offset; null when the text is no such time. */
export function withOffset(local: string, timeZone: string): string | null {
  const asUtc = LOCAL.test(local) ? Date.parse(`${local}Z`) : Number.NaN;
  if (Number.isNaN(asUtc)) return null;
  // The offset of the moment itself, which is that of its neighbourhood except in the night the clocks change.
  const near = offsetMinutes(new Date(asUtc), timeZone);
  return `${local}${offsetText(offsetMinutes(new Date(asUtc - near * MINUTE), timeZone))}`;
}

function offsetMinutes(moment: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" }).formatToParts(moment);
  const [, sign, hours, minutes] = /([+-])(\d{2}):(\d{2})/.exec(parts.find(({ type }) => type === "timeZoneName")?.value ?? "") ?? [];
  return sign === undefined ? 0 : (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

function offsetText(minutes: number): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}
