import { expect, test } from "vitest";
import { diskLimits, diskWords, isWorse, readingOf } from "./disk-space.ts";

const MB = 1024 * 1024;
const GB = 1024 * MB;

test.each([
  ["a tmpfs of 300 MB", 300 * MB, { low: 96, tight: 64, full: 32 }],
  ["a volume of 5 GB", 5 * GB, { low: 1024, tight: 500, full: 100 }],
  ["a disk of 4 TB", 4096 * GB, { low: 2048, tight: 500, full: 100 }],
])("%s has limits that fit its size", (_, totalBytes, expected) => {
  const limits = diskLimits(totalBytes, {});
  expect({ low: limits.low / MB, tight: limits.tight / MB, full: limits.full / MB }).toEqual(expected);
});

test("what the operator chose holds, and 0 turns a level off", () => {
  const chosen = { low: 10 * GB, full: 0 };
  expect(diskLimits(100 * GB, chosen)).toEqual({ low: 10 * GB, tight: 500 * MB, full: 0 });
  expect(readingOf(0, 100 * GB, chosen).level).toBe("tight");
  expect(readingOf(9 * GB, 100 * GB, chosen).level).toBe("low");
});

test("the level is the worst whose limit is passed", () => {
  const levels = [4096, 2047, 499, 99].map((free) => readingOf(free * MB, 100 * GB, {}).level);
  expect(levels).toEqual(["ok", "low", "tight", "full"]);
  expect(isWorse("full", "tight")).toBe(true);
  expect(isWorse("low", "low")).toBe(false);
});

test("the words say what is refused and what to do, and name the database only where it lies on the disk", () => {
  const at = (free: number, hasDatabase: boolean) => diskWords(readingOf(free * MB, 100 * GB, {}), hasDatabase);
  expect(at(1500, true)).toEqual({
    message: "Only 1,500 MB are free on the disk of the data folder.",
    next: "Make room on the disk, or make it larger. Below 500 MB images and large saves are refused.",
  });
  expect(at(50, true).message).toContain("Nothing can be saved.");
  expect(at(50, false)).toMatchObject({ message: expect.stringContaining("Images are refused.") as string });
});
