import { LRUCache } from "lru-cache";
import { expect, test } from "vitest";
import { endsAfter } from "./lifetime.ts";
import { SECOND } from "./time.ts";

test("an entry ends by the given clock, at its time and not after it; asking does not prolong it", () => {
  let now = Date.UTC(2026, 10, 15);
  const map = new LRUCache<string, number>({ max: 2, ...endsAfter(SECOND, () => new Date(now)) });
  map.set("a", 1);
  now += SECOND - 1;
  expect([map.get("a"), map.has("a")]).toEqual([1, true]);
  now += 1;
  expect([map.has("a"), map.get("a")]).toEqual([false, undefined]);
});
