import { expect, test } from "vitest";
import { HOUR } from "#domain/time";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestServices } from "#test/services";
import { runWorkers } from "./run-workers.ts";

const services = closedAtEnd(await openTestServices());

test("a job goes on at once while there is something to do, then rests", async () => {
  let left = 3;
  const stop = runWorkers(services, [{ name: "sweep", everyMillis: HOUR, run: async () => (left > 0 ? left-- : 0) }]);
  await expect.poll(() => left).toBe(0);
  await stop();
});

test("a job that pauses rests between its steps, and stopping waits for no more than the one under way", async () => {
  let steps = 0;
  const stop = runWorkers(services, [{ name: "walk", everyMillis: HOUR, pauseMillis: HOUR, run: async () => ++steps }]);
  await expect.poll(() => steps).toBe(1);
  await stop();
  expect(steps).toBe(1);
});
