import { expect, test } from "vitest";
import { testId } from "#test/builders";
import { termIdsOf } from "./terms.ts";
import type { ToolRun } from "./tool-run.ts";

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
