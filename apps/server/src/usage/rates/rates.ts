import { ALONE, type Division } from "#domain/rate-share";
import { type BucketRule, holdsToken, takeToken } from "#domain/token-bucket";
import { bringUp, fullKept, type KeptBucket, putBack } from "./kept-bucket.ts";
import { isStale, type Loans } from "./loans.ts";

/** The token buckets of this node, which are a part of those of the install where there are more nodes. */
export interface Rates {
  /** A full one. The kind and the name say which bucket of the install it is a part of. */
  open(kind: string, name: string, rule: BucketRule, now: number): KeptBucket;
  /** Brings it up to now; before anything else is asked of it. */
  refill(bucket: KeptBucket, rule: BucketRule, now: number): void;
  /** Takes one token of a bucket that holds one. */
  spend(bucket: KeptBucket): void;
  /** Takes a token of each, or answers the one that has none. It waits only where it is about to refuse and the ledger may have more. */
  take(buckets: readonly KeptBucket[]): KeptBucket | null | Promise<KeptBucket | null>;
  giveBack(bucket: KeptBucket): void;
  readonly state: RatesState;
}

export interface RatesState {
  readonly division: Division;
  /** For people; null where this node counts for itself. */
  readonly ledger: string | null;
  readonly calls: number;
  readonly failures: number;
  readonly waits: number;
}

/** A second look for a request that waited for one bucket while another ran dry. */
const ROUNDS = 2;

export function createRates(source?: { readonly ledger: string; readonly loans: Loans; readonly division: () => Division }): Rates {
  const loans = source?.loans ?? null;
  const division = source?.division ?? (() => ALONE);

  function spend(bucket: KeptBucket): void {
    takeToken(bucket);
    if (bucket.thousandths < bucket.lowWater || (bucket.loan !== null && isStale(bucket))) loans?.askAhead(bucket);
  }

  function take(buckets: readonly KeptBucket[], rounds: number): KeptBucket | null | Promise<KeptBucket | null> {
    const empty = buckets.find((bucket) => !holdsToken(bucket));
    if (!empty) {
      for (const bucket of buckets) spend(bucket);
      return null;
    }
    const waiting = rounds > 0 ? loans?.waitFor(buckets) : null;
    if (!waiting) return empty;
    return waiting.then(() => {
      // The ledger may have been lost meanwhile. No time is added here: the requests that came later have brought their own.
      for (const bucket of buckets) bringUp(bucket, bucket.rule, division(), bucket.at);
      return take(buckets, rounds - 1);
    });
  }

  return {
    open: (kind, name, rule, now) => fullKept(kind, name, rule, division(), now),
    refill: (bucket, rule, now) => bringUp(bucket, rule, division(), now),
    spend,
    take: (buckets) => take(buckets, ROUNDS),
    giveBack(bucket) {
      putBack(bucket);
      if (bucket.loan && bucket.loan.returned > 0) loans?.askAhead(bucket);
    },
    get state() {
      return { division: division(), ledger: source?.ledger ?? null, calls: 0, failures: 0, waits: 0, ...loans?.tally };
    },
  };
}
