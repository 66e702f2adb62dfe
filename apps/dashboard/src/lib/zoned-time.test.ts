import { expect, test } from "vitest";
import { dayIn, fromLocal, toLocal } from "./zoned-time.ts";

test("a moment there and back is the same moment, on both sides of the date line", () => {
  for (const zone of ["UTC", "Europe/Lisbon", "Pacific/Kiritimati", "America/Los_Angeles", "Asia/Kathmandu", "Pacific/Pago_Pago"]) {
    for (const at of ["2026-01-01T00:00:00.000Z", "2026-06-30T23:59:00.000Z", "2026-11-15T09:30:00.000Z"]) {
      expect(fromLocal(toLocal(at, zone), zone), `${zone} ${at}`).toBe(at);
    }
  }
});

test("the day is the one on the calendar there", () => {
  expect(dayIn("2026-11-15T23:30:00.000Z", "Asia/Tokyo")).toBe("2026-11-16");
  expect(dayIn("2026-11-15T03:30:00.000Z", "America/New_York")).toBe("2026-11-14");
});

test("a time that summer skips is an hour later, and of one that comes twice the first is meant", () => {
  expect(fromLocal("2026-03-29T02:30", "Europe/Berlin")).toBe("2026-03-29T01:30:00.000Z");
  expect(fromLocal("2026-10-25T02:30", "Europe/Berlin")).toBe("2026-10-25T00:30:00.000Z");
  expect(fromLocal("2026-03-29T00:00", "Europe/Berlin")).toBe("2026-03-28T23:00:00.000Z");
});
