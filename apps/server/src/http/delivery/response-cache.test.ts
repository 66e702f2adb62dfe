import { expect, test } from "vitest";
import { compress, makeCachedResponse } from "../shared/cached-response.ts";
import { createResponseCache, type ResponsesByAddress } from "./response-cache.ts";

const response = (bytes: number) =>
  makeCachedResponse(
    { kind: "text", contentType: "text/plain", text: "x".repeat(bytes) },
    { contentVersion: 1, websiteVersion: 1, storeEpoch: 0, at: 0 },
  );

test("websites share the bytes: what was asked for longest ago goes, from its own shelf", () => {
  const cache = createResponseCache(10_000);
  const [mine, theirs]: ResponsesByAddress[] = [new Map(), new Map()];
  cache.put(mine!, "/a", response(3_000));
  cache.put(theirs!, "/a", response(3_000));
  cache.used(mine!.get("/a")!, 5_000);
  cache.put(theirs!, "/b", response(5_000));
  expect([[...mine!.keys()], [...theirs!.keys()]]).toEqual([["/a"], ["/b"]]);
  expect(cache.size).toBe(2);
  expect(cache.bytes).toBeLessThanOrEqual(10_000);
});

test("a page that grows makes others go; one that no longer fits goes itself", () => {
  const cache = createResponseCache(10_000);
  const responses: ResponsesByAddress = new Map();
  cache.put(responses, "/a", response(4_000));
  cache.put(responses, "/b", response(4_000));
  const { response: grown } = responses.get("/b")!;
  grown.gzip = Buffer.alloc(4_000);
  cache.grew(responses, "/b");
  expect([...responses.keys()]).toEqual(["/b"]);
  cache.put(responses, "/b", response(20_000));
  expect([responses.size, cache.size, cache.bytes]).toEqual([0, 0, 0]);
});

test("without bytes nothing is kept", () => {
  const cache = createResponseCache(0);
  const responses: ResponsesByAddress = new Map();
  cache.put(responses, "/a", response(10));
  expect([responses.size, cache.size]).toEqual([0, 0]);
});

test("cached bytes hold no more memory than is counted", async () => {
  for (const bytes of [10, 1_500, 4_000, 5_000, 100_000]) {
    const cached = response(bytes);
    const all = [cached.identity, await compress(cached, "gzip"), await compress(cached, "br"), cached.gzip, cached.br];
    expect(all.map((kept) => kept!.buffer.byteLength)).toEqual(all.map((kept) => kept!.length));
  }
});
