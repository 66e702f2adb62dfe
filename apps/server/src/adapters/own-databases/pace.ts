import { setTimeout as delay } from "node:timers/promises";
import { fullBucket, refill, TOKEN } from "#domain/token-bucket";

/** Resolves when so many more bytes may pass. */
export type Pace = (bytes: number) => Promise<void>;

/** As many bytes a second, and `burst` of them at once after a pause. Whoever takes more than there are waits until they have come in. */
export function createPace(ratePerSecond: number, burst: number, now: () => number = () => performance.now()): Pace {
  const rule = { ratePerSecond, burst };
  const bucket = fullBucket(rule, now());
  return async (bytes) => {
    refill(bucket, rule, now());
    bucket.thousandths -= bytes * TOKEN;
    if (bucket.thousandths < 0) await delay(-bucket.thousandths / ratePerSecond, undefined, { ref: false });
  };
}
