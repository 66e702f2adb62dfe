import { expect, test } from "vitest";
import type { FieldDefinition } from "#domain/website";
import { fieldErrors } from "./fields.ts";

const day: FieldDefinition = { key: "day", label: "Day", type: "date", required: false, help: "", options: [] };

test.each(["2026-11-15", "2024-02-29", "9999-12-31", "", null])("a date may be %j", (value) => {
  expect(fieldErrors([day], { day: value })).toEqual([]);
});

test.each(["2026-02-30", "2025-02-29", "2026-04-31", "2026-13-01", "2026-1-5", "0000-01-01", "2026-11-15T09:00:00.000Z", 20_261_115])(
  "%j is no day of the calendar",
  (value) => {
    expect(fieldErrors([day], { day: value })).toEqual([{ field: "fields.day", message: "must be a date such as 2026-11-15" }]);
  },
);
