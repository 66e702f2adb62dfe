import { expect, test } from "vitest";
import { activityDetails } from "./activity-details.ts";

const lines = (...of: Parameters<typeof activityDetails>) => activityDetails(...of).map(({ name, value }) => `${name}: ${value}`);

test("what was and what is stand in one line", () => {
  expect(lines({ role: "editor", previousRole: "author" })).toEqual(["Role: author → editor"]);
  expect(lines({ previousPlan: "free", plan: "team" })).toEqual(["Plan: free → team"]);
  expect(lines({ previousName: "Old" }, "New")).toEqual(["Name: Old → New"]);
});

test("names and values are words", () => {
  expect(lines({ version: 3, changed: ["coverMediaId", "body"] })).toEqual(["Version: 3", "Changed: cover image, text"]);
  expect(lines({ masked: "stet_…a1b2", origins: [], monthlyCap: null })).toEqual([
    "Key: stet_…a1b2",
    "Allowed origins: any",
    "Monthly cap: none",
  ]);
  expect(lines({ allowDelete: false, debounceSeconds: 30, bytes: 1_500 })).toEqual([
    "Can delete: no",
    "Groups changes for: 30 seconds",
    "Size: 1.5 KB",
  ]);
  expect(lines({ expiresAt: "2026-11-15T09:30:00.000Z" })[0]).toMatch(/^Expires: .*2026/);
});

test("what is not known stays readable, and what is empty is left out", () => {
  expect(lines({ someNewThing: { innerPart: [1, true] }, note: "" })).toEqual(["Some new thing: inner part: 1, yes"]);
});
