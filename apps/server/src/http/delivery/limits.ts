import type { PlanLimits } from "#domain/plans";
import { type BucketRule, secondsToFull, type TokenBucket, tokensIn } from "#domain/token-bucket";

/** The limits of a key: the plan's numbers, with the key's own cap. `null` = no limit. */
export interface Limits {
  /** All requests of the website together. */
  readonly website: BucketRule | null;
  /** Those of one client address with this key: half the rate, because a key in a browser can be read by anyone. */
  readonly address: BucketRule | null;
  /** Requests a month as the plan says them, and as they are served: paid plans go beyond. */
  readonly quota: number | null;
  readonly served: number | null;
  /** The key's own, a month. */
  readonly cap: number | null;
  /** The header `RateLimit-Policy`. */
  readonly policy: string;
}

/** Without a valid key there is one bucket per address, whatever is asked. */
export const WITHOUT_KEY: BucketRule = { ratePerSecond: 10, burst: 50 };
export const WITHOUT_KEY_POLICY = `"address";${policyOf(WITHOUT_KEY)}`;

/** A number that no client reaches, for headers that must say one where there is no limit. */
const UNLIMITED = 1_000_000_000;
/** 30 days, as the header counts a month. */
const MONTH_SECONDS = 2_592_000;

export function limitsOf(plan: PlanLimits, monthlyCap: number | null): Limits {
  const { ratePerSecond, burst, requestsPerMonth } = plan;
  const website = ratePerSecond === null || burst === null ? null : { ratePerSecond, burst };
  const month = Math.min(requestsPerMonth ?? UNLIMITED, monthlyCap ?? UNLIMITED);
  return {
    website,
    address: website && { ratePerSecond: website.ratePerSecond / 2, burst: website.burst },
    quota: requestsPerMonth,
    served: requestsPerMonth === null ? null : Math.floor((requestsPerMonth * plan.servedPercent) / 100),
    cap: monthlyCap,
    policy: `"burst";${website ? policyOf(website) : `q=${UNLIMITED};w=1`}, "month";q=${month};w=${MONTH_SECONDS}`,
  };
}

/** The quota and the seconds in which it flows back. */
function policyOf(rule: BucketRule): string {
  return `q=${rule.burst};w=${Math.max(1, Math.ceil(rule.burst / rule.ratePerSecond))}`;
}

/**
 * The header `RateLimit` of a request with a key. A client has two buckets, the website's and its address's: it is told of the
 * one that will refuse it first. `t` of the bucket is when it is full again, `t` of the month when the next one begins.
 */
export function rateLimitOf(
  limits: Limits,
  website: TokenBucket | null,
  address: TokenBucket | null,
  used: number,
  usedOfKey: number,
  secondsToMonthEnd: number,
): string {
  let remaining = UNLIMITED;
  let seconds = 1;
  if (website && limits.website && limits.address) {
    const byAddress = address !== null && address.thousandths < website.thousandths;
    remaining = tokensIn(byAddress ? address : website);
    seconds = byAddress ? secondsToFull(address, limits.address) : secondsToFull(website, limits.website);
  }
  let month = limits.quota === null ? UNLIMITED : limits.quota - used;
  if (limits.cap !== null && limits.cap - usedOfKey < month) month = limits.cap - usedOfKey;
  return `"burst";r=${remaining};t=${seconds}, "month";r=${month > 0 ? month : 0};t=${secondsToMonthEnd}`;
}

export const rateLimitWithoutKey = (bucket: TokenBucket): string =>
  `"address";r=${tokensIn(bucket)};t=${secondsToFull(bucket, WITHOUT_KEY)}`;
