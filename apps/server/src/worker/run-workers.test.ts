import { expect, test } from "vitest";
import { HOUR } from "#domain/time";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestServices } from "#test/services";
import { runWorkers } from "./run-workers.ts";

const services = closedAtEnd(await openTestServices());

test("a job goes on at once while there is something to do, then rests", async () => {
  let left = 3;
  const stop = runWorkers(services, { jobs: [{ name: "sweep", everyMillis: HOUR, run: async () => (left > 0 ? left-- : 0) }] });
  await expect.poll(() => left).toBe(0);
  await stop();
});

test("a job that pauses rests between its steps, and stopping waits for no more than the one under way", async () => {
  let steps = 0;
  const stop = runWorkers(services, { jobs: [{ name: "walk", everyMillis: HOUR, pauseMillis: HOUR, run: async () => ++steps }] });
  await expect.poll(() => steps).toBe(1);
  await stop();
  expect(steps).toBe(1);
});

test("a stop leaves a job that does not end, and says which", async () => {
  let runs = 0;
  const run = () => {
    runs += 1;
    return new Promise<number>(() => {});
  };
  const stop = runWorkers(services, { jobs: [{ name: "hangs", everyMillis: HOUR, run }], graceMillis: 10 });
  await expect.poll(() => runs).toBe(1);
  await stop();
  expect(services.troubles).toContainEqual(expect.stringContaining('"hangs"'));
});

test("a node that may not run jobs runs none and sends nothing, and begins when it may", async () => {
  let may = false;
  let asked = 0;
  let runs = 0;
  const run = async () => {
    runs += 1;
    return 0;
  };
  let claims = 0;
  const webhooks = Object.assign(Object.create(services.webhooks) as typeof services.webhooks, {
    claim: async () => {
      claims += 1;
      return [];
    },
  });
  const stop = runWorkers(
    { ...services, webhooks },
    {
      jobs: [{ name: "sweep", everyMillis: 1, run }],
      mayRun: () => {
        asked += 1;
        return may;
      },
    },
  );
  await expect.poll(() => asked).toBeGreaterThan(10);
  expect([runs, claims]).toEqual([0, 0]);
  may = true;
  await expect.poll(() => runs > 0 && claims > 0).toBe(true);
  await stop();
});
