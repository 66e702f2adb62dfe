import { expect, test } from "vitest";
import { createLine, type Leave } from "./line.ts";

const rule = { atWork: 2, atWorkInAll: 3, waiting: 2, waitingInAll: 3 };

test("so many work, so many wait, and the next is told at once to come again", async () => {
  const line = createLine(rule, "large saves");
  const places = [await line("a"), await line("a")];
  const order: number[] = [];
  const waiting = [1, 2].map((n) => line("a").then((leave) => (order.push(n), leave)));
  await expect(line("a")).rejects.toMatchObject({ code: "RATE_LIMITED", facts: { retryAfterSeconds: 2 } });
  // Another one is not held up by them, until there is no place at all.
  places.push(await line("b"));
  const other = line("b");
  await expect(line("c")).rejects.toMatchObject({ code: "UNAVAILABLE", facts: { retryAfterSeconds: 2 } });
  // The first in line is of "a", whose places are still taken.
  places[2]!();
  (await other)();
  places[0]!();
  (await waiting[0]!)();
  expect(order).toEqual([1]);
  places[1]!();
  (await waiting[1]!)();
  expect(order).toEqual([1, 2]);
});

test("a place is given back once, and one who goes away while waiting takes none", async () => {
  const line = createLine({ ...rule, atWork: 1 }, "large saves");
  const first = await line("a");
  const gone = new AbortController();
  const waiting = line("a", gone.signal);
  gone.abort(new Error("gone"));
  await expect(waiting).rejects.toThrow("gone");
  await expect(line("a", gone.signal)).rejects.toThrow("gone");
  first();
  first();
  const second = await line("a");
  let third: Leave | null = null;
  const later = line("a").then((leave) => (third = leave));
  await Promise.resolve();
  expect(third).toBeNull();
  second();
  await later;
});
