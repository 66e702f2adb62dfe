import { expect, test } from "vitest";
import { activityFilter, inputOf } from "./activity-filter.ts";

test("an address gives the filters it names, and nothing that is none", () => {
  expect(activityFilter({ person: "user_1", by: "tool", action: "create_key", website: "site_1", time: 7, more: "x" })).toEqual({
    person: "user_1",
    by: "tool",
    action: "create_key",
    website: "site_1",
    time: "7",
  });
  expect(activityFilter({ by: "nobody", person: "", time: { a: 1 } })).toEqual({});
});

test("a span of days begins with its first and ends with its last, both whole", () => {
  const day = 86_400_000;
  const { from, to } = inputOf({ time: "2026-06-01..2026-06-03" });
  expect(from).toBe(new Date("2026-06-01T00:00:00").toISOString());
  expect(Date.parse(to ?? "") - Date.parse(from ?? "")).toBe(3 * day);
  expect(inputOf({ time: "..2026-06-03" })).toEqual({ to });
  expect(inputOf({ time: "2026-06-01.." })).toEqual({ from });
  expect(inputOf({ time: "rubbish..2026" })).toEqual({});
  expect(inputOf({ time: "13" })).toEqual({});
});

test("the last days begin at midnight, so that asking again asks the same", () => {
  const today = new Date();
  today.setHours(0, 0, 0, 0);
  expect(inputOf({ time: "1" })).toEqual({ from: today.toISOString() });
});
