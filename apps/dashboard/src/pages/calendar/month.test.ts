import { expect, test } from "vitest";
import { addMonths, firstDayOfWeek, weeksOf } from "./month.ts";

test("a month is shown in whole weeks, each day once", () => {
  for (let month = "2023-12"; month < "2029-02"; month = addMonths(month, 1)) {
    for (const firstDay of [1, 6, 7]) {
      const weeks = weeksOf(month, firstDay);
      const days = weeks.flat();
      expect(weeks.every((week) => week.length === 7)).toBe(true);
      expect(new Set(days).size).toBe(days.length);
      expect(new Date(days[0]!).getUTCDay() || 7).toBe(firstDay);
      expect(days).toContain(`${month}-01`);
      expect(weeks[0]!.some((day) => day.startsWith(month)) && weeks.at(-1)!.some((day) => day.startsWith(month))).toBe(true);
      expect(days).not.toContain(`${addMonths(month, 1)}-08`);
    }
  }
});

test("weeks begin where the reader's do", () => {
  expect(firstDayOfWeek("en-GB")).toBe(1);
  expect(firstDayOfWeek("en-US")).toBe(7);
});
