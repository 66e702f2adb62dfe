import { type BucketRule, fullBucket, isFull, refill, type TokenBucket } from "#domain/token-bucket";

interface Kept extends TokenBucket {
  rule: BucketRule;
}

/** Token buckets by name, as many as fit. A bucket that is full again is the same as none, so those go first. */
export interface Buckets {
  /** The bucket as it is now; a full one where there was none. */
  of(name: string, rule: BucketRule, now: number): TokenBucket;
  readonly size: number;
}

export function createBuckets(most: number): Buckets {
  const buckets = new Map<string, Kept>();

  function makeRoom(now: number): void {
    for (const [name, bucket] of buckets) if (isFull(bucket, bucket.rule, now)) buckets.delete(name);
    // Still too many at once: the oldest are forgotten. Whoever owns so many addresses has a bucket for each anyway.
    for (const name of buckets.keys()) {
      if (buckets.size <= most * 0.9) break;
      buckets.delete(name);
    }
  }

  return {
    of(name, rule, now) {
      const known = buckets.get(name);
      if (known) {
        known.rule = rule;
        refill(known, rule, now);
        return known;
      }
      if (buckets.size >= most) makeRoom(now);
      const fresh: Kept = { ...fullBucket(rule, now), rule };
      buckets.set(name, fresh);
      return fresh;
    },
    get size() {
      return buckets.size;
    },
  };
}
