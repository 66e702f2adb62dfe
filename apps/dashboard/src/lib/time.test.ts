import { expect, test } from "vitest";
import { relativeTime } from "./time.ts";

const NOW = Date.parse("2026-11-15T09:00:00.000Z");
const HOUR = 3_600;
const DAY = 24 * HOUR;
const words = (seconds: number) => relativeTime(new Date(NOW + seconds * 1_000).toISOString(), NOW);

test("a time is told in the largest unit that it fills, rounded, and never as 60 minutes or 24 hours", () => {
  expect([-1, 30, -59].map(words)).toEqual(["just now", "just now", "just now"]);
  expect([-60, -100, -59 * 60].map(words)).toEqual(["1 minute ago", "2 minutes ago", "59 minutes ago"]);
  expect([-(HOUR - 1), -23.4 * HOUR, -23.7 * HOUR].map(words)).toEqual(["1 hour ago", "23 hours ago", "1 day ago"]);
  expect([-6.4 * DAY, -6.6 * DAY, -29 * DAY, -364.9 * DAY].map(words)).toEqual(["6 days ago", "1 week ago", "4 weeks ago", "1 year ago"]);
});

test("a day and a half is neither yesterday nor tomorrow for everybody, so it is counted", () => {
  expect([-30 * HOUR, 33 * HOUR, 7 * DAY - 1].map(words)).toEqual(["1 day ago", "in 1 day", "in 1 week"]);
});
