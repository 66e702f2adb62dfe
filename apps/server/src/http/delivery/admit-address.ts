import type { ServerResponse } from "node:http";
import { fail } from "#domain/failure";
import { holdsToken, secondsToToken, takeToken } from "#domain/token-bucket";
import type { Buckets } from "./buckets.ts";
import { rateLimitWithoutKey, WITHOUT_KEY, WITHOUT_KEY_POLICY } from "./limits.ts";

/** Takes a token of the client's address and says in the headers what is left; refuses when there is none. For addresses of `/v1` that need no key. */
export function createAddressAdmission(buckets: Buckets, clock: () => Date): (address: string, response: ServerResponse) => void {
  return (address, response) => {
    const bucket = buckets.of(address, WITHOUT_KEY, clock().getTime());
    const admitted = holdsToken(bucket);
    if (admitted) takeToken(bucket);
    response.setHeader("RateLimit-Policy", WITHOUT_KEY_POLICY);
    response.setHeader("RateLimit", rateLimitWithoutKey(bucket));
    if (admitted) return;
    const retryAfterSeconds = secondsToToken(bucket, WITHOUT_KEY);
    throw fail("RATE_LIMITED", `Too many requests from your address. Try again in ${retryAfterSeconds} s.`, { retryAfterSeconds });
  };
}
