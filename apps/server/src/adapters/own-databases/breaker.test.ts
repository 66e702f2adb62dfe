import { expect, test } from "vitest";
import { createBreaker } from "./breaker.ts";
import { createSlots } from "./slots.ts";

test("a dead thing is left alone for 1 second, then 2, up to 30; one caller tries at a time; success closes it", () => {
  let now = 0;
  const breaker = createBreaker(() => now);
  const [first, second] = [breaker.enter()!, breaker.enter()!];
  first.failed();
  // It came in before, and knows nothing new.
  second.failed();
  for (const pause of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
    now += pause - 1;
    expect(breaker.enter()).toBeNull();
    now += 1;
    const probe = breaker.enter()!;
    expect(breaker.enter()).toBeNull();
    probe.failed();
  }
  now += 30_000;
  breaker.enter()!.left();
  breaker.enter()!.succeeded();
  expect([breaker.isOpen, breaker.enter() === null, breaker.enter() === null]).toEqual([false, false, false]);
});

test("slots are given in turn; a line that is too long or too slow is told so", async () => {
  const slots = createSlots({ most: 1, line: 2, patienceMillis: 20 });
  const first = await slots.take();
  const second = slots.take();
  const third = slots.take();
  expect(await slots.take()).toBeNull();
  first!();
  const release = await second;
  expect(release).not.toBeNull();
  expect(await third).toBeNull();
  release!();
  release!();
  expect(slots.isIdle).toBe(true);
});
