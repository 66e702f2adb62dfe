import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { createPace } from "./pace.ts";

/** Whether it resolved before anything else got a turn. */
const isAtOnce = (passed: Promise<unknown>): Promise<boolean> => Promise.race([passed.then(() => true), setImmediate(false)]);

test("so many bytes pass at once, and the rest at the pace, whoever they belong to", async () => {
  const begun = performance.now();
  const pace = createPace(1_000_000, 50_000);
  expect(await isAtOnce(Promise.all(Array.from({ length: 5 }, () => pace(10_000))))).toBe(true);
  await Promise.all(Array.from({ length: 10 }, () => pace(10_000)));
  expect(performance.now() - begun).toBeGreaterThan(90);
});

test("a pause gives back no more than what passes at once", async () => {
  let now = 0;
  const pace = createPace(1_000_000, 50_000, () => now);
  expect(await isAtOnce(pace(50_000))).toBe(true);
  now = 60_000;
  expect(await isAtOnce(pace(50_000))).toBe(true);
  expect(await isAtOnce(pace(50_000))).toBe(false);
});
