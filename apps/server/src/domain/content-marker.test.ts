import { expect, test } from "vitest";
import { testId } from "#test/builders";
import { type ContentMarker, isConfirmable, judgeMarker, wasLeftInUse } from "./content-marker.ts";

const ours: ContentMarker = {
  installId: "a",
  publicUrl: "https://blog.test",
  websiteId: testId("website", 1),
  epoch: 3,
  schemaVersion: 2,
};

test.each([
  [null, "missing", /is missing/],
  ["unreadable", "unreadable", /cannot be read/],
  [{ ...ours, installId: "b", publicUrl: "https://other.test" }, "other install", /other\.test/],
  [{ ...ours, installId: "b", publicUrl: "<script>" }, "other install", /an unknown address/],
  [{ ...ours, publicUrl: "https://staging.test" }, "other address", /staging\.test/],
  [{ ...ours, websiteId: testId("website", 2) }, "other website", /another website/],
  [{ ...ours, websiteId: testId("website", 2), publicUrl: "https://staging.test" }, "other website", /another website/],
  [{ ...ours, epoch: 4 }, "newer epoch", /older backup/],
  [{ ...ours, epoch: 4, schemaVersion: 3 }, "newer schema", /Update this server/],
  [{ ...ours, schemaVersion: 3 }, "newer schema", /Update this server/],
] as const)("marker %# makes the database read only, with the reason in words", (found, because, reason) => {
  expect(judgeMarker(found, ours, true)).toEqual({ kind: "read only", because, reason: expect.stringMatching(reason) });
});

test.each([
  { ...ours, publicUrl: "https://staging.test" },
  { ...ours, epoch: 4 },
] as const)("marker %# can be confirmed where the database is in use; elsewhere its content can be fetched", (found) => {
  const [used, unused] = [judgeMarker(found, ours, true), judgeMarker(found, ours, false)];
  expect([isConfirmable(used, true), isConfirmable(unused, false)]).toEqual([true, true]);
  expect([used, unused]).toMatchObject([
    { reason: expect.stringMatching(/confirm/i) },
    { reason: expect.stringMatching(/fetch its content/i) },
  ]);
  expect(unused).not.toMatchObject({ reason: expect.stringMatching(/confirm/i) });
});

test("our own marker is ours, also right after a switch; an older schema is told; no marker is fine before a migration", () => {
  expect(judgeMarker(ours, ours, true)).toEqual({ kind: "ours" });
  expect(judgeMarker({ ...ours, epoch: 2 }, ours, true)).toEqual({ kind: "ours" });
  expect(judgeMarker({ ...ours, schemaVersion: 1 }, ours, true)).toEqual({ kind: "older schema" });
  expect(judgeMarker(null, ours, false)).toEqual({ kind: "none" });
  expect(judgeMarker({ ...ours, installId: "b" }, ours, false)).toMatchObject({ because: "other install" });
});

test.each([
  ["in use when it was left", 1, 2, null, true],
  ["in use, and the last return in order was an earlier one", 3, 4, 2, true],
  ["in use, and left by an orderly return that did not get to say so", 1, 2, 2, false],
  ["in use long ago, and another one was left in order since", 1, 4, 4, true],
  ["left in order", 2, 2, null, false],
  ["left in order long ago", 2, 6, 6, false],
  ["in use now", 3, 3, 2, false],
] as const)("a database that was %s was left in use, or not", (_, epoch, now, returnedEpoch, is) => {
  expect(wasLeftInUse({ ...ours, epoch }, { ...ours, epoch: now }, returnedEpoch)).toBe(is);
});
