import type { Clock } from "./time.ts";

/**
 * For a bounded map (`lru-cache`) whose entries end after so many milliseconds: by the clock that everything goes by (decision
 * 0023), read each time, and not by the machine's. The library still gives an entry in the last of its milliseconds; here it has ended.
 */
export const endsAfter = (millis: number, clock: Clock) => ({
  ttl: millis - 1,
  ttlResolution: 0,
  perf: { now: () => clock().getTime() },
});
