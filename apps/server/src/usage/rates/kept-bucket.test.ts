import fc from "fast-check";
import { expect, test } from "vitest";
import { ALONE, type Division, sharesOf } from "#domain/rate-share";
import { tokensIn } from "#domain/token-bucket";
import { bringUp, fullKept, knownRemaining, putBack, secondsToNext, wholeOf } from "./kept-bucket.ts";

const rules = fc.record({ ratePerSecond: fc.integer({ min: 1, max: 200 }), burst: fc.integer({ min: 1, max: 1_000 }) });
const shared = (nodes: number, life = "first"): Division => ({ nodes, life });
const lost = (nodes: number): Division => ({ nodes, life: null });

test("the parts of the nodes and of the ledger sum to the limit", () => {
  fc.assert(
    fc.property(rules, fc.integer({ min: 1, max: 50 }), (rule, nodes) => {
      const { own, ledger } = sharesOf(rule, shared(nodes));
      expect(nodes * own.burst + ledger.burst).toBeCloseTo(rule.burst, 6);
      expect(nodes * own.ratePerSecond + ledger.ratePerSecond).toBeCloseTo(rule.ratePerSecond, 6);
    }),
  );
});

test("however often the ledger is lost and found, all nodes together hold no more than before", () => {
  const large = fc.record({ ratePerSecond: fc.integer({ min: 1, max: 200 }), burst: fc.integer({ min: 8, max: 1_000 }) });
  const lives = fc.array(fc.constantFrom(null, "first", "second"), { maxLength: 6 });
  fc.assert(
    fc.property(large, fc.integer({ min: 1, max: 8 }), fc.double({ min: 0, max: 1, noNaN: true }), lives, (rule, nodes, part, steps) => {
      const bucket = fullKept("test", "name", rule, lost(nodes), 0);
      bucket.thousandths *= part;
      // Every node is in the same state, and the ledger is what all of them take it for.
      const all = () => nodes * bucket.thousandths + (bucket.division.life === null ? 0 : knownRemaining(bucket));
      const before = all();
      for (const life of steps) {
        bringUp(bucket, rule, { nodes, life }, 0);
        expect(all()).toBeCloseTo(before, 3);
      }
    }),
  );
});

test("an empty bucket stays empty when others join, when the ledger is lost, and when it comes back without what it knew", () => {
  const rule = { ratePerSecond: 1, burst: 40 };
  const bucket = fullKept("test", "name", rule, ALONE, 0);
  bucket.thousandths = 0;
  for (const division of [shared(2), lost(2), shared(2), shared(3, "second"), lost(3), ALONE]) {
    bringUp(bucket, rule, division, 0);
    expect(tokensIn(wholeOf(bucket))).toBe(0);
  }
  expect(secondsToNext(bucket)).toBe(1);
});

test("another plan takes effect at once on both parts", () => {
  const bucket = fullKept("test", "name", { ratePerSecond: 10, burst: 80 }, shared(2), 0);
  bringUp(bucket, { ratePerSecond: 1, burst: 8 }, bucket.division, 0);
  expect(tokensIn(wholeOf(bucket))).toBeLessThanOrEqual(8);
  const alone = fullKept("test", "name", { ratePerSecond: 10, burst: 80 }, ALONE, 0);
  bringUp(alone, { ratePerSecond: 1, burst: 8 }, ALONE, 0);
  expect(tokensIn(alone)).toBe(8);
});

test("a token that comes back is never more than the bucket holds", () => {
  const alone = fullKept("test", "name", { ratePerSecond: 1, burst: 8 }, ALONE, 0);
  putBack(alone);
  expect(tokensIn(alone)).toBe(8);
});
