import { type BucketRule, giveBack, holdsToken, secondsToToken, takeToken } from "#domain/token-bucket";
import { fail } from "#domain/failure";
import { createBuckets } from "../delivery/buckets.ts";

/** How often somebody may try to sign in, to give a second factor or to get a new password. */
export interface AttemptRules {
  /** Every attempt counts, of everybody behind the address. */
  readonly address: BucketRule;
  /** Only what failed counts, from wherever it came. */
  readonly account: BucketRule;
}

/** Twenty at once and then one every six seconds; ten failures on one account and then one a minute. */
export const ATTEMPTS: AttemptRules = {
  address: { ratePerSecond: 1 / 6, burst: 20 },
  account: { ratePerSecond: 1 / 60, burst: 10 },
};

const MOST_NAMES = 50_000;

export interface Attempts {
  /** Counts one, or throws RATE_LIMITED. What it answers is called when the attempt succeeded. */
  begin(address: string, account: string | null): () => void;
}

/** Kept in memory: each node counts what it sees, and a restart forgives. The second factor is also locked in the database. */
export function createAttempts(rules: AttemptRules, clock: () => number = Date.now): Attempts {
  const addresses = createBuckets(MOST_NAMES);
  const accounts = createBuckets(MOST_NAMES);
  return {
    begin(address, account) {
      const now = clock();
      const ofAddress = addresses.of(address, rules.address, now);
      const ofAccount = account === null ? null : accounts.of(account, rules.account, now);
      if (!holdsToken(ofAddress)) throw tooMany(secondsToToken(ofAddress, rules.address));
      if (ofAccount && !holdsToken(ofAccount)) throw tooMany(secondsToToken(ofAccount, rules.account));
      takeToken(ofAddress);
      if (!ofAccount) return () => {};
      // Taken before it is known how it ends: many at once count as many.
      takeToken(ofAccount);
      return () => giveBack(ofAccount, rules.account);
    },
  };
}

const tooMany = (retryAfterSeconds: number) =>
  fail("RATE_LIMITED", `Too many attempts. Wait ${inWords(retryAfterSeconds)}, then try again.`, { retryAfterSeconds });

const inWords = (seconds: number): string =>
  seconds < 90 ? `${seconds} ${seconds === 1 ? "second" : "seconds"}` : `${Math.ceil(seconds / 60)} minutes`;
