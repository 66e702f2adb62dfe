/** How fast a bucket fills, and how much it holds. */
export interface BucketRule {
  readonly ratePerSecond: number;
  readonly burst: number;
}

/** The tokens in a bucket, counted in thousandths: a whole rate fills it by whole thousandths each millisecond, so nothing drifts. */
export interface TokenBucket {
  thousandths: number;
  /** When it was last filled up, in milliseconds. */
  at: number;
}

export const TOKEN = 1_000;

export const fullBucket = (rule: BucketRule, now: number): TokenBucket => ({ thousandths: rule.burst * TOKEN, at: now });

/** Brings it up to `now`. A clock that goes back adds nothing, and what it holds beyond the rule it keeps. */
export function refill(bucket: TokenBucket, rule: BucketRule, now: number): void {
  const elapsed = now - bucket.at;
  const most = rule.burst * TOKEN;
  if (elapsed > 0 && bucket.thousandths < most) bucket.thousandths = Math.min(most, bucket.thousandths + elapsed * rule.ratePerSecond);
  bucket.at = now;
}

// The following are asked right after `refill`.

export const holdsToken = (bucket: TokenBucket): boolean => bucket.thousandths >= TOKEN;

export function takeToken(bucket: TokenBucket): void {
  bucket.thousandths -= TOKEN;
}

/** Whole tokens left. */
export const tokensIn = (bucket: TokenBucket): number => Math.max(0, Math.floor(bucket.thousandths / TOKEN));

/** Seconds until it is full again, rounded up. */
export const secondsToFull = (bucket: TokenBucket, rule: BucketRule): number =>
  Math.ceil((rule.burst * TOKEN - bucket.thousandths) / rule.ratePerSecond / 1_000);

/** Seconds until there is a token again, rounded up. */
export const secondsToToken = (bucket: TokenBucket, rule: BucketRule): number =>
  Math.max(1, Math.ceil((TOKEN - bucket.thousandths) / rule.ratePerSecond / 1_000));

export const isFull = (bucket: TokenBucket, rule: BucketRule, now: number): boolean =>
  bucket.thousandths + (now - bucket.at) * rule.ratePerSecond >= rule.burst * TOKEN;
