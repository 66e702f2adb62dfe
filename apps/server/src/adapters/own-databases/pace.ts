import { setTimeout as delay } from "node:timers/promises";

/** Resolves when so many more bytes may pass. */
export type Pace = (bytes: number) => Promise<void>;

/** As many bytes a second, and `burst` of them at once after a pause. */
export function createPace(perSecond: number, burst: number, now: () => number = () => performance.now()): Pace {
  let left = burst;
  let since = now();
  return async (bytes) => {
    const at = now();
    left = Math.min(burst, left + ((at - since) / 1_000) * perSecond) - bytes;
    since = at;
    if (left < 0) await delay((-left / perSecond) * 1_000, undefined, { ref: false });
  };
}
