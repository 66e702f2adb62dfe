import { type BucketRule, isFull } from "#domain/token-bucket";
import type { KeptBucket } from "#usage/rates/kept-bucket";
import type { Rates } from "#usage/rates/rates";

/**
 * Token buckets by name, as many as fit. A bucket that is full again is the same as none, so those go first. No map that lets go
 * what was used longest ago would do: an empty bucket that is forgotten is a full one (decision 0036).
 */
export interface Buckets {
  /** The bucket as it is now; a full one where there was none. */
  of(name: string, rule: BucketRule, now: number): KeptBucket;
  readonly size: number;
}

/** The kind keeps the names of one limit apart from those of another where nodes share them. */
export function createBuckets(most: number, kind: string, rates: Rates): Buckets {
  const buckets = new Map<string, KeptBucket>();

  function forget(name: string, bucket: KeptBucket): void {
    bucket.isForgotten = true;
    buckets.delete(name);
  }

  function makeRoom(now: number): void {
    for (const [name, bucket] of buckets) if (isFull(bucket, bucket.own, now)) forget(name, bucket);
    // Still too many at once: the oldest are forgotten. An attacker with so many addresses has a bucket for each anyway.
    for (const [name, bucket] of buckets) {
      if (buckets.size <= most * 0.9) break;
      forget(name, bucket);
    }
  }

  return {
    of(name, rule, now) {
      const known = buckets.get(name);
      if (known) {
        rates.refill(known, rule, now);
        return known;
      }
      if (buckets.size >= most) makeRoom(now);
      const fresh = rates.open(kind, name, rule, now);
      buckets.set(name, fresh);
      return fresh;
    },
    get size() {
      return buckets.size;
    },
  };
}
