import { expect, test } from "vitest";
import { invalid } from "#domain/failure";
import { testId } from "#test/builders";
import { termIdsOf } from "./terms.ts";
import type { ToolRun } from "./tool-run.ts";

test("what is too long for a name is refused before it is compared", async () => {
  const run = () => Promise.reject(invalid([{ field: "nameContains", message: "must be at most 200 characters" }]));
  const long = termIdsOf({ run } as unknown as ToolRun, testId("website", 1), "tag", [`x${"\u0301\u0316".repeat(250_000)}`]);
  await expect(long).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
});

test("names that are not there cost no more than the first of them", async () => {
  let [asked, atOnce, most] = [0, 0, 0];
  const run = async () => {
    asked += 1;
    most = Math.max(most, (atOnce += 1));
    await new Promise((resolve) => setImmediate(resolve));
    atOnce -= 1;
    return { items: [], nextCursor: null };
  };
  const names = Array.from({ length: 50 }, (_, nth) => `Name ${nth}`);
  const unknown = termIdsOf({ run } as unknown as ToolRun, testId("website", 1), "tag", names);
  await expect(unknown).rejects.toMatchObject({ code: "NOT_FOUND", message: expect.stringContaining("Name 0") });
  // By its name, and then for those to propose instead.
  expect([asked, most]).toEqual([2, 1]);
});
