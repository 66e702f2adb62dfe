import { expect, onTestFinished, test } from "vitest";
import { HOUR, MINUTE, SECOND } from "#domain/time";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestDatabase } from "#test/postgres";
import { openDatabaseClock } from "./database-clock.ts";
import type { Queryable } from "./database.ts";

const database = closedAtEnd(await openTestDatabase({ migrated: false }));

async function databaseTime(): Promise<number> {
  const { rows } = await database.query<{ now: string }>({ text: "SELECT clock_timestamp() AS now" });
  return Date.parse(rows[0]!.now);
}

async function openClock(...args: Parameters<typeof openDatabaseClock>) {
  const clock = await openDatabaseClock(...args);
  onTestFinished(clock.close);
  return clock;
}

test("it tells the database's time on a machine whose clock is an hour ahead, and how far that is", async () => {
  const machine = { timeOfDay: () => Date.now() + HOUR, steady: () => performance.now() };
  const clock = await openClock(database, { machine });
  const before = await databaseTime();
  const told = clock.now().getTime();
  expect(told).toBeGreaterThan(before - SECOND);
  expect(told).toBeLessThanOrEqual(await databaseTime());
  expect(Math.abs(clock.offsetMillis() - HOUR)).toBeLessThan(SECOND);
});

test("it is never ahead of the database", async () => {
  const clock = await openClock(database);
  for (let i = 0; i < 50; i++) {
    const told = clock.now().getTime();
    expect(told).toBeLessThanOrEqual(await databaseTime());
  }
});

test("a machine's clock that jumps moves nothing, and is noticed", async () => {
  let jump = 0;
  const machine = { timeOfDay: () => Date.now() + jump, steady: () => performance.now() };
  const offsets: number[] = [];
  const clock = await openClock(database, { machine, everyMillis: 5, onMeasured: (offset) => offsets.push(offset) });
  jump = -HOUR;
  expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(10 * SECOND);
  await expect.poll(() => clock.offsetMillis()).toBeLessThan(-59 * MINUTE);
  expect(offsets.at(-1)).toBeLessThan(-59 * MINUTE);
  expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(10 * SECOND);
});

test("an answer that took long spoils nothing; a database whose clock was set is followed", async () => {
  const start = 1_800_000_000_000;
  let steady = 0;
  let takes = 0;
  let set = 0;
  const slow: Queryable = {
    async query() {
      const now = start + steady + set;
      steady += takes;
      return { rows: [{ now }] } as never;
    },
  };
  let measured = 0;
  const machine = { timeOfDay: () => start, steady: () => steady };
  const clock = await openClock(slow, { machine, everyMillis: 1, onMeasured: () => measured++ });
  takes = 9 * SECOND;
  await expect.poll(() => measured).toBeGreaterThan(3);
  takes = 0;
  expect(clock.now().getTime()).toBe(start + steady);
  for (const by of [HOUR, -HOUR]) {
    set = by;
    await expect.poll(() => clock.now().getTime()).toBe(start + steady + by);
  }
});

test("while the database does not answer, time goes on", async () => {
  const steady = { now: 0 };
  const start = 1_800_000_000_000;
  let asked = 0;
  const failing: Queryable = {
    async query() {
      if (asked++ > 0) throw new Error("Connection terminated unexpectedly");
      return { rows: [{ now: start }] } as never;
    },
  };
  const clock = await openClock(failing, { machine: { timeOfDay: () => start, steady: () => steady.now }, everyMillis: 1 });
  await expect.poll(() => asked).toBeGreaterThan(2);
  steady.now = MINUTE;
  expect(clock.now().getTime()).toBe(start + MINUTE);
});
