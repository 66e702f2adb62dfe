/** A moment: UTC, ISO 8601, milliseconds, always 24 characters, so that comparing the text compares the time. */
export type Timestamp = string & { readonly __kind: "Timestamp" };

/** Time is an argument: code that needs "now" is given a clock. */
export type Clock = () => Date;

/** There is no year 0 in PostgreSQL. */
const SHAPE = /^(?!0000)\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

export function timestamp(moment: Date | number): Timestamp {
  return new Date(moment).toISOString() as Timestamp;
}

export function isTimestamp(text: string): text is Timestamp {
  return SHAPE.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text;
}

export const millis = (moment: Timestamp): number => Date.parse(moment);

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
