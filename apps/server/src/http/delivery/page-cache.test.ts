import { expect, test } from "vitest";
import { makePage } from "../shared/page.ts";
import { createPageCache, type Shelf } from "./page-cache.ts";

const page = (bytes: number) =>
  makePage({ kind: "text", contentType: "text/plain", text: "x".repeat(bytes) }, { contentVersion: 1, websiteVersion: 1, at: 0 });

test("websites share the bytes: what was asked for longest ago goes, from its own shelf", () => {
  const cache = createPageCache(10_000);
  const [mine, theirs]: Shelf[] = [new Map(), new Map()];
  cache.put(mine!, "/a", page(3_000));
  cache.put(theirs!, "/a", page(3_000));
  cache.used(mine!.get("/a")!);
  cache.put(theirs!, "/b", page(5_000));
  expect([[...mine!.keys()], [...theirs!.keys()]]).toEqual([["/a"], ["/b"]]);
  expect(cache.size).toBe(2);
  expect(cache.bytes).toBeLessThanOrEqual(10_000);
});

test("a page that grows makes others go; one that no longer fits goes itself", () => {
  const cache = createPageCache(10_000);
  const shelf: Shelf = new Map();
  cache.put(shelf, "/a", page(4_000));
  cache.put(shelf, "/b", page(4_000));
  const { page: grown } = shelf.get("/b")!;
  grown.gzip = Buffer.alloc(4_000);
  cache.grew(shelf, "/b");
  expect([...shelf.keys()]).toEqual(["/b"]);
  cache.put(shelf, "/b", page(20_000));
  expect([shelf.size, cache.size, cache.bytes]).toEqual([0, 0, 0]);
});

test("without bytes nothing is kept", () => {
  const cache = createPageCache(0);
  const shelf: Shelf = new Map();
  cache.put(shelf, "/a", page(10));
  expect([shelf.size, cache.size]).toEqual([0, 0]);
});
