import { type BucketRule, secondsToFull, type TokenBucket, tokensIn } from "#domain/token-bucket";

/** How often a connection may call: enough for an assistant that reads a whole blog, too little for a loop gone wild. */
export const CONNECTION_RATE: BucketRule = { ratePerSecond: 10, burst: 100 };
/** How often an address may come with no token, or one that is not good: each costs a look-up. */
export const UNKNOWN_RATE: BucketRule = { ratePerSecond: 5, burst: 50 };

/** The two headers of the IETF draft, as on `/v1`. */
export function limitHeaders(name: string, rule: BucketRule, bucket: TokenBucket): Record<string, string> {
  return {
    "RateLimit-Policy": `"${name}";q=${rule.burst};w=${Math.max(1, Math.ceil(rule.burst / rule.ratePerSecond))}`,
    RateLimit: `"${name}";r=${tokensIn(bucket)};t=${secondsToFull(bucket, rule)}`,
  };
}
