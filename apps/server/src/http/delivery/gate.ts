import { fail, type Failure } from "#domain/failure";
import { originAllowed } from "#domain/origins";
import { holdsToken } from "#domain/token-bucket";
import { headerOf } from "../shared/header-of.ts";
import { createBuckets } from "../shared/buckets.ts";
import type { Exchange } from "./exchange.ts";
import type { KeyCache, KeyEntry } from "./key-cache.ts";
import { WITHOUT_KEY } from "./limits.ts";
import { type KeptBucket, secondsToNext } from "#usage/rates/kept-bucket";
import type { Rates } from "#usage/rates/rates";
import type { Usage } from "#usage/usage";

/** Admits or refuses a request: key, origin, buckets, the cheapest check first. */
export interface Gate {
  /** The key's entry, at once when it is known. Refuses with 401. */
  identify(exchange: Exchange): KeyEntry | Promise<KeyEntry>;
  /** Origin and buckets of a request whose key is good. At once, unless it is about to be refused and the other nodes left something. */
  admit(exchange: Exchange, entry: KeyEntry): void | Promise<void>;
  /** Takes from the bucket of the address; answers the refusal when it is empty. */
  admitWithoutKey(exchange: Exchange): Failure | null | Promise<Failure | null>;
  /** The bucket of the address, for the headers only. */
  showAddress(exchange: Exchange): void;
  /** The answer is a fault of ours: the tokens that the request took go back. */
  forgive(exchange: Exchange): void;
  readonly refusals: { website: number; address: number; withoutKey: number };
}

/** Client addresses that are remembered at a time, with keys and without. */
const MOST_ADDRESSES = 100_000;

export function createGate(keys: KeyCache, usage: Usage, rates: Rates): Gate {
  const withKey = createBuckets(MOST_ADDRESSES, "key and address", rates);
  const withoutKey = createBuckets(MOST_ADDRESSES, "address", rates);
  // Apart from those without a key: noise from an address must not keep out a good key that this node has not seen yet.
  const guesses = createBuckets(MOST_ADDRESSES, "guesses", rates);
  const refusals = { website: 0, address: 0, withoutKey: 0 };

  function showAddress(exchange: Exchange): KeptBucket {
    return (exchange.bucket = withoutKey.of(exchange.address, WITHOUT_KEY, exchange.now));
  }

  function admitWithoutKey(exchange: Exchange): Failure | null | Promise<Failure | null> {
    const settle = (empty: KeptBucket | null): Failure | null => {
      if (empty) {
        refusals.withoutKey += 1;
        return tooMany(empty);
      }
      exchange.hasPaid = true;
      return null;
    };
    const empty = rates.take([showAddress(exchange)]);
    return empty instanceof Promise ? empty.then(settle) : settle(empty);
  }

  function tooMany(bucket: KeptBucket): Failure {
    const seconds = secondsToNext(bucket);
    return fail("RATE_LIMITED", `Too many requests. Wait ${seconds} ${seconds === 1 ? "second" : "seconds"}, then slow down.`, {
      retryAfterSeconds: seconds,
    });
  }

  async function lookUp(exchange: Exchange, raw: string): Promise<KeyEntry> {
    // Guessing is limited before it costs a query. A key that was good a moment ago is no guess, and neither is one that is
    // being looked up already: a burst on a node that just started has a good key.
    const isGuess = !keys.wasKnown(raw) && !keys.isLoading(raw);
    const bucket = isGuess ? guesses.of(exchange.address, WITHOUT_KEY, exchange.now) : null;
    if (bucket && (await rates.take([bucket]))) {
      exchange.bucket = bucket;
      refusals.withoutKey += 1;
      throw tooMany(bucket);
    }
    let isWrong = false;
    try {
      const entry = await keys.load(raw);
      isWrong = entry === null;
      // The refusal takes a token of the address, as for a request without a key.
      if (!entry) throw invalidKey();
      return entry;
    } finally {
      // A look-up that failed says nothing about the key.
      if (bucket && !isWrong) rates.giveBack(bucket);
    }
  }

  function requireOrigin(exchange: Exchange, entry: KeyEntry): void {
    if (!entry.origins) return;
    const origin = headerOf(exchange.request, "origin");
    // Without the header it is no page of another origin.
    if (origin === undefined) {
      exchange.allowOrigin = null;
      return;
    }
    let allowed = entry.origins.get(origin);
    if (allowed === undefined) {
      allowed = originAllowed(entry.key.origins, origin);
      entry.origins.set(origin, allowed);
    }
    exchange.allowOrigin = allowed ? origin : null;
    if (!allowed) {
      throw fail("ORIGIN_NOT_ALLOWED", `This key cannot be used from ${origin.slice(0, 200)}. Add the origin to the key in the dashboard.`);
    }
  }

  function takeTokens(exchange: Exchange, entry: KeyEntry): void | Promise<void> {
    const { limits, state, key } = entry;
    if (!limits.website || !limits.address || !state.bucket) return;
    let address = entry.lastBucket;
    // The same client asks again and again: its bucket is at hand.
    if (address && entry.lastAddress === exchange.address && !address.isForgotten) rates.refill(address, limits.address, exchange.now);
    else {
      address = withKey.of(key.id + exchange.address, limits.address, exchange.now);
      entry.lastAddress = exchange.address;
      entry.lastBucket = address;
    }
    exchange.bucket = address;
    const website = state.bucket;
    rates.refill(website, limits.website, exchange.now);
    if (holdsToken(address) && holdsToken(website)) {
      rates.spend(address);
      rates.spend(website);
      exchange.hasPaid = true;
      return;
    }
    const settle = (empty: KeptBucket | null): void => {
      exchange.hasPaid = empty === null;
      if (!empty) return;
      refusals[empty === website ? "website" : "address"] += 1;
      throw tooMany(empty);
    };
    const empty = rates.take([address, website]);
    if (empty instanceof Promise) return empty.then(settle);
    settle(empty);
  }

  return {
    refusals,
    showAddress: (exchange) => void showAddress(exchange),
    admitWithoutKey,

    forgive(exchange) {
      const { entry, bucket, hasPaid } = exchange;
      exchange.hasPaid = false;
      if (!entry && !bucket) showAddress(exchange);
      if (!hasPaid || !bucket) return;
      rates.giveBack(bucket);
      if (entry?.state.bucket) rates.giveBack(entry.state.bucket);
    },

    identify(exchange) {
      const raw = bearerToken(headerOf(exchange.request, "authorization"));
      const known = keys.find(raw, exchange.now);
      if (known === "refused") throw invalidKey();
      return known === "unknown" ? lookUp(exchange, raw) : known;
    },

    admit(exchange, entry) {
      exchange.entry = entry;
      exchange.bucket = null;
      const minute = Math.floor(exchange.now / 60_000);
      if (entry.lastUsedMinute !== minute) {
        entry.lastUsedMinute = minute;
        usage.touch(entry.website.id, entry.key.id, exchange.now);
      }
      requireOrigin(exchange, entry);
      return takeTokens(exchange, entry);
    },
  };
}

const FORM = /^Bearer +([\w.~+/=-]+) *$/i;

function bearerToken(header: string | undefined): string {
  if (header === undefined || header === "") {
    throw fail("MISSING_API_KEY", "No key was sent. Send the header Authorization: Bearer <API_KEY>.");
  }
  // As nearly everyone writes it: nothing to take apart. What is no key is found out by the look-up.
  if (header.length === 52 && header.startsWith("Bearer ")) return header.slice(7);
  const token = FORM.exec(header)?.[1];
  if (token !== undefined) return token;
  if (/^Bearer(?: |$)/i.test(header)) throw invalidKey();
  throw fail("MISSING_API_KEY", "The Authorization header holds no key. Send Authorization: Bearer <API_KEY>.");
}

const invalidKey = (): Failure =>
  fail("INVALID_API_KEY", "This key is unknown or was revoked. Copy it again, or create a new one on the website's API keys page.");
