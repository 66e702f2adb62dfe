import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  fullBucket,
  holdsToken,
  isFull,
  refill,
  secondsToFull,
  secondsToToken,
  takeToken,
  tokensIn,
  type TokenBucket,
} from "#domain/token-bucket";

const RULE = { ratePerSecond: 10, burst: 50 };

function take(bucket: TokenBucket, now: number, rule = RULE): boolean {
  refill(bucket, rule, now);
  if (!holdsToken(bucket)) return false;
  takeToken(bucket);
  return true;
}

describe("a token bucket", () => {
  test("gives its burst at once, then nothing until a token has flowed back", () => {
    const bucket = fullBucket(RULE, 0);
    for (let n = 0; n < 50; n++) expect(take(bucket, 0)).toBe(true);
    expect(take(bucket, 99)).toBe(false);
    expect(take(bucket, 100)).toBe(true);
    expect(take(bucket, 100)).toBe(false);
  });

  test("never holds more than its burst, and nothing for a clock that goes back", () => {
    const bucket = fullBucket(RULE, 1_000_000);
    refill(bucket, RULE, 9_000_000);
    expect(tokensIn(bucket)).toBe(50);
    takeToken(bucket);
    refill(bucket, RULE, 0);
    expect(tokensIn(bucket)).toBe(49);
  });

  test("says when it is full again, and when there is a token, in whole seconds", () => {
    const bucket = fullBucket(RULE, 0);
    take(bucket, 0);
    expect(secondsToFull(bucket, RULE)).toBe(1);
    for (let n = 0; n < 49; n++) take(bucket, 0);
    expect(secondsToFull(bucket, RULE)).toBe(5);
    expect(secondsToToken(bucket, RULE)).toBe(1);
    const slow = { ratePerSecond: 0.1, burst: 1 };
    const small = fullBucket(slow, 0);
    takeToken(small);
    expect(secondsToToken(small, slow)).toBe(10);
    expect(isFull(small, slow, 9_999)).toBe(false);
    expect(isFull(small, slow, 10_000)).toBe(true);
  });

  test("lets through exactly burst + rate × time, however the time is cut up", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100 }),
        // Large enough that no step fills it to the brim, where tokens are lost by intention.
        fc.integer({ min: 5, max: 100 }),
        fc.array(fc.integer({ min: 0, max: 37 }), { maxLength: 300 }),
        (ratePerSecond, burst, steps) => {
          const rule = { ratePerSecond, burst };
          const bucket = fullBucket(rule, 0);
          let now = 0;
          let taken = 0;
          const drain = () => {
            while (take(bucket, now, rule)) taken += 1;
          };
          drain();
          for (const step of steps) {
            now += step;
            drain();
          }
          expect(taken).toBe(burst + Math.floor((now * ratePerSecond) / 1_000));
        },
      ),
    );
  });
});
