import type { BucketRule } from "#domain/token-bucket";
import { fail } from "#domain/failure";
import { secondsToNext } from "#usage/rates/kept-bucket";
import type { Rates } from "#usage/rates/rates";
import { createBuckets } from "./buckets.ts";

/** How often somebody may try to sign in, to give a second factor or to get a new password. */
export interface AttemptRules {
  /** Every attempt counts, of everybody behind the address. */
  readonly address: BucketRule;
  /** Only failed attempts count, of all strangers together: this stops someone who guesses from many addresses. */
  readonly account: BucketRule;
  /**
   * Only failed attempts count, on one account from one address, or on a device that signed in to it before. Such a device is no
   * stranger: others who fail on purpose cannot keep it out. Without: as `account`.
   */
  readonly client?: BucketRule;
}

/**
 * Twenty at once from an address and then one every six seconds. Ten failures on an account from one place and then one a
 * minute, so that one person who fails on purpose does not use up the fifty that all strangers have together.
 */
export const ATTEMPTS: AttemptRules = {
  address: { ratePerSecond: 1 / 6, burst: 20 },
  account: { ratePerSecond: 1 / 60, burst: 50 },
  client: { ratePerSecond: 1 / 60, burst: 10 },
};

/** Every letter counts, from wherever it was asked for. Nobody is kept from theirs by others who ask: any of them serves. */
export const EMAIL_ATTEMPTS: AttemptRules = { address: { ratePerSecond: 1 / 6, burst: 20 }, account: { ratePerSecond: 1 / 60, burst: 10 } };

const MOST_NAMES = 50_000;

export interface Attempts {
  /**
   * Counts one, or throws RATE_LIMITED. What it answers is called when the attempt succeeded. `device`: one that signed in to
   * this account before.
   */
  begin(address: string, account: string | null, device?: string | null): Promise<() => void>;
}

/**
 * Kept in memory, and shared with other nodes: what is tried on one of them counts on all. A restart of the only node forgives. The second
 * factor is also locked in the database. The kind says what is tried.
 */
export function createAttempts(kind: string, rules: AttemptRules, rates: Rates, clock: () => number = Date.now): Attempts {
  const addresses = createBuckets(MOST_NAMES, `${kind} address`, rates);
  const accounts = createBuckets(MOST_NAMES, `${kind} account`, rates);
  const clients = createBuckets(MOST_NAMES, `${kind} client`, rates);
  const { client = rules.account } = rules;
  return {
    async begin(address, account, device = null) {
      const now = clock();
      const counted = account === null ? [] : [clients.of(`${account} ${device ?? address}`, client, now)];
      if (account !== null && device === null) counted.push(accounts.of(account, rules.account, now));
      const all = [addresses.of(address, rules.address, now), ...counted];
      // Taken before it is known how it ends: many at once count as many.
      const empty = await rates.take(all);
      if (empty) throw tooManyAttempts(secondsToNext(empty));
      return () => {
        for (const bucket of counted) rates.giveBack(bucket);
      };
    },
  };
}

export const tooManyAttempts = (retryAfterSeconds: number) =>
  fail("RATE_LIMITED", `Too many attempts. Wait ${inWords(retryAfterSeconds)}, then try again.`, { retryAfterSeconds });

const inWords = (seconds: number): string =>
  seconds < 90 ? `${seconds} ${seconds === 1 ? "second" : "seconds"}` : `${Math.ceil(seconds / 60)} minutes`;
