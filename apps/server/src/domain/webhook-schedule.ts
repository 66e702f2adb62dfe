import { HOUR, MINUTE, SECOND } from "#domain/time";

/** How long after the attempt before it each attempt is made, the first at once. */
const DELAYS = [0, 10 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR] as const;

export const ATTEMPTS_PER_DELIVERY = DELAYS.length;
/** Failed attempts in a row, over all deliveries of an endpoint, after which its owner is told. */
export const FAILURES_UNTIL_NOTICE = 10;
/** And after which it is switched off. */
export const FAILURES_UNTIL_OFF = 20;

/** So many milliseconds after `tries` failed attempts comes the next; null when there is none. ±10 %: a crowd must not come back as one. */
export function delayAfter(tries: number, random: () => number): number | null {
  const delay = DELAYS[tries];
  return delay === undefined ? null : Math.round(delay * (0.9 + 0.2 * random()));
}
