import { expect, test } from "vitest";
import { wallClock, withOffset } from "./local-time.ts";

test.each([
  ["2026-11-15T09:35:00Z", "Europe/Berlin", "Sunday 2026-11-15T10:35+01:00"],
  ["2026-07-01T22:30:00Z", "Europe/Berlin", "Thursday 2026-07-02T00:30+02:00"],
  ["2026-11-15T02:00:00Z", "America/New_York", "Saturday 2026-11-14T21:00-05:00"],
  ["2026-11-15T12:00:00Z", "Asia/Kathmandu", "Sunday 2026-11-15T17:45+05:45"],
  ["2026-11-15T12:00:00Z", "UTC", "Sunday 2026-11-15T12:00+00:00"],
])("%s in %s is %s", (moment, timeZone, shown) => {
  expect(wallClock(new Date(moment), timeZone)).toBe(shown);
});

test.each([
  ["2026-11-17T09:00", "Europe/Berlin", "2026-11-17T09:00+01:00"],
  ["2026-07-01T09:00:30", "Europe/Berlin", "2026-07-01T09:00:30+02:00"],
  // The morning after the clocks changed.
  ["2026-10-25T09:00", "Europe/Berlin", "2026-10-25T09:00+01:00"],
  ["2026-10-25T00:30", "Europe/Berlin", "2026-10-25T00:30+02:00"],
  ["2027-03-14T23:00", "America/Los_Angeles", "2027-03-14T23:00-07:00"],
])("%s on a wall of %s is %s", (local, timeZone, moment) => {
  expect(withOffset(local, timeZone)).toBe(moment);
});

test.each(["next Tuesday", "2026-11-17", "2026-11-17T09:00Z", "2026-13-17T09:00"])("%s is no time on a wall", (text) => {
  expect(withOffset(text, "UTC")).toBeNull();
});
