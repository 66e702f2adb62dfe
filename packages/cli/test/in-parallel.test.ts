import { expect, test } from "vitest";
import { inParallel } from "../src/posts/in-parallel.ts";

test("after an error nothing more is begun, and it is thrown once what had begun has ended", async () => {
  const begun: number[] = [];
  let release = () => {};
  const second = new Promise<void>((resolve) => (release = resolve));
  let isOver = false;
  const all = inParallel([1, 2, 3, 4, 5], 2, async (item) => {
    begun.push(item);
    if (item === 1) throw new Error("one");
    await second;
  }).finally(() => (isOver = true));
  all.catch(() => {});
  await new Promise((resolve) => setImmediate(resolve));
  expect(isOver).toBe(false);
  release();
  await expect(all).rejects.toThrow("one");
  expect(begun).toEqual([1, 2]);
});
