import { describe, expect, test } from "vitest";
import { closedAtEnd } from "#test/closed-at-end";
import { openService } from "./service.ts";

const service = closedAtEnd(await openService());
const blog = await service.blog();
await blog.write.settings({ publicUrl: "https://example.com/blog", title: "Blog" });
await blog.write.post("Short");
await blog.write.post("Long", { body: "Many words of text. ".repeat(400) });

describe("methods and addresses", () => {
  test("GET and HEAD; no other method exists for keys: 405 with Allow", async () => {
    const before = (await blog.get("/blog/posts")).text;
    for (const path of ["/blog/posts", "/blog/posts/short", "/blog/tags", "/blog/feed.xml", "/openapi.json"]) {
      for (const method of ["POST", "PUT", "PATCH", "DELETE", "PROPFIND", "QUERY"]) {
        const answer = await blog.get(path, { method, body: method === "POST" ? "{}" : "", described: false });
        expect([method, path, answer.status, answer.code]).toEqual([method, path, 405, "METHOD_NOT_ALLOWED"]);
        expect(answer.headers["allow"]).toBe("GET, HEAD, OPTIONS");
      }
    }
    expect((await blog.get("/blog/posts")).text).toBe(before);
  });

  test("HEAD answers with the headers of GET and no body", async () => {
    for (const path of ["/blog/posts", "/blog/posts/long", "/blog/posts/nothing", "/blog/feed.xml", "/blog/posts?limit=0"]) {
      const [get, head] = [await blog.get(path), await blog.get(path, { method: "HEAD" })];
      const without = ({ date: _, "x-request-id": __, ratelimit: ___, ...rest }: typeof get.headers) => rest;
      expect([path, head.status, head.bytes.length]).toEqual([path, get.status, 0]);
      const sizes = get.status === 200 ? {} : { "content-length": expect.anything() };
      expect({ ...without(head.headers), ...sizes }).toEqual({ ...without(get.headers), ...sizes });
    }
  });

  test("an unknown path: 404 ROUTE_NOT_FOUND", async () => {
    for (const path of [
      "",
      "/",
      "/blog",
      "/blog/",
      "/blog/posts/",
      "/blog/posts/a/b",
      "/posts",
      "/blog/Posts",
      "//blog/posts",
      "/blog//posts",
      "/blog/posts/short/views/x",
      "/blog/drafts",
      "/../v1/blog/posts",
    ]) {
      const answer = await blog.get(path, { described: false });
      expect([path, answer.status, answer.code]).toEqual([path, 404, "ROUTE_NOT_FOUND"]);
    }
  });

  test("unknown query parameters: 400 UNKNOWN_PARAMETER, on every route", async () => {
    for (const path of [
      "/blog/posts",
      "/blog/posts/short",
      "/blog/categories",
      "/blog/tags/x",
      "/blog/authors",
      "/blog/media",
      "/blog/search",
      "/blog/views",
      "/blog/posts/short/views",
      "/blog/changes",
      "/blog/redirects",
      "/blog/website",
      "/blog/feed.xml",
      "/blog/feed.json",
      "/blog/sitemap.xml",
      "/blog/llms.txt",
      "/openapi.json",
      "/preview/token",
    ]) {
      for (const query of ["page=2", "offset=3", "api_key=x", "Limit=5", "__proto__=1", "a[b]=c"]) {
        expect([path, query, (await blog.get(`${path}?${query}`)).code]).toEqual([path, query, "UNKNOWN_PARAMETER"]);
      }
    }
  });
});

describe("envelopes", () => {
  test("a single resource is {data}; a collection {data, pagination{hasNext,nextCursor,limit}}", async () => {
    const keys = async (path: string) => Object.keys((await blog.get(path)).json);
    expect(await keys("/blog/posts/short")).toEqual(["data"]);
    for (const path of [
      "/blog/posts",
      "/blog/categories",
      "/blog/tags",
      "/blog/authors",
      "/blog/media",
      "/blog/search?q=words",
      "/blog/views",
    ]) {
      const { json } = await blog.get(path);
      expect([path, Object.keys(json), Object.keys(json.pagination)]).toEqual([
        path,
        ["data", "pagination"],
        ["hasNext", "nextCursor", "limit"],
      ]);
    }
  });
});

describe("caching", () => {
  test("ETag is a hash of the answer, so that publishing one post leaves the others' 304s alone", async () => {
    const { etag } = (await blog.get("/blog/posts/short")).headers;
    const list = (await blog.get("/blog/posts")).headers.etag;
    await blog.write.post("Another");
    const unchanged = await blog.get("/blog/posts/short", { headers: { "If-None-Match": etag! } });
    expect([unchanged.status, unchanged.bytes.length, unchanged.headers.etag]).toEqual([304, 0, etag]);
    expect((await blog.get("/blog/posts", { headers: { "If-None-Match": list! } })).status).toBe(200);
  });

  test("a 304 needs one matching tag, weak or strong, in whatever encoding it was given", async () => {
    const plain = (await blog.get("/blog/posts/long")).headers.etag!;
    const packed = (await blog.get("/blog/posts/long", { headers: { "Accept-Encoding": "br" } })).headers.etag!;
    const status = async (tags: string) => (await blog.get("/blog/posts/long", { headers: { "If-None-Match": tags } })).status;
    for (const tags of [plain, packed, `W/${plain}`, `"other", ${plain}`, "*"]) expect([tags, await status(tags)]).toEqual([tags, 304]);
    for (const tags of ['"other"', plain.slice(0, -2), plain.replaceAll('"', ""), ""])
      expect([tags, await status(tags)]).toEqual([tags, 200]);
  });

  test("Cache-Control: private, no-cache and Vary: Origin, Accept, Accept-Encoding stand on 200 and 304", async () => {
    const { etag } = (await blog.get("/blog/posts/short")).headers;
    for (const headers of [{}, { "If-None-Match": etag! }] as Record<string, string>[]) {
      const answer = await blog.get("/blog/posts/short", { headers });
      expect(answer.headers).toMatchObject({ "cache-control": "private, no-cache", vary: "Origin, Accept, Accept-Encoding" });
    }
  });

  test("refusals are not to be kept by anyone", async () => {
    expect((await blog.get("/blog/posts/nothing")).headers["cache-control"]).toBe("no-store");
  });
});

describe("compression", () => {
  const encodingOf = async (path: string, accept: string) =>
    (await blog.get(path, { headers: { "Accept-Encoding": accept } })).headers["content-encoding"];

  test("gzip and br for bodies over 1 KiB, the same content in fewer bytes", async () => {
    const plain = await blog.get("/blog/posts/long");
    for (const encoding of ["gzip", "br"]) {
      const packed = await blog.get("/blog/posts/long", { headers: { "Accept-Encoding": encoding } });
      expect([packed.headers["content-encoding"], packed.text]).toEqual([encoding, plain.text]);
      expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2);
      expect(packed.headers["content-length"]).toBe(String(packed.bytes.length));
    }
    expect(await encodingOf("/blog/posts/short", "br, gzip")).toBeUndefined();
  });

  test("what the client prefers is what it gets; what it refuses it never gets", async () => {
    const cases = {
      "gzip, br": "br",
      "gzip;q=1, br;q=0.5": "gzip",
      "br;q=0, gzip": "gzip",
      "*": "br",
      "*;q=0": undefined,
      identity: undefined,
      "deflate, zstd": undefined,
      "": undefined,
      "gzip;q=0": undefined,
      BR: "br",
    };
    for (const [accept, encoding] of Object.entries(cases))
      expect([accept, await encodingOf("/blog/posts/long", accept)]).toEqual([accept, encoding]);
  });
});

describe("request ids", () => {
  test("X-Request-Id is on every response; a well-formed incoming one is kept", async () => {
    for (const path of ["/blog/posts", "/blog/posts/nothing", "/nowhere"]) {
      expect((await blog.get(path, { headers: { "X-Request-Id": "mine-1.A_b" }, described: false })).headers["x-request-id"]).toBe(
        "mine-1.A_b",
      );
    }
    for (const bad of ["with space", "a".repeat(65), "a\tb", "<script>"]) {
      expect((await blog.get("/blog/posts", { headers: { "X-Request-Id": bad } })).headers["x-request-id"]).toMatch(/^req_/);
    }
  });
});

test("a published change is visible to the next request on the same node", async () => {
  const fresh = await service.blog();
  let post = await fresh.write.post("Version 0");
  for (let n = 1; n <= 20; n++) {
    post = await fresh.write.revise(post, { title: `Version ${n}` });
    const [one, list, feed] = await Promise.all([
      fresh.get(`/blog/posts/${post.id}`),
      fresh.get("/blog/posts"),
      fresh.get("/blog/search?q=version"),
    ]);
    expect([one.json.data.title, list.json.data[0].title, feed.json.data[0].post.title]).toEqual(Array(3).fill(`Version ${n}`));
  }
  await fresh.write.unpublish(post);
  expect((await fresh.get(`/blog/posts/${post.id}`)).status).toBe(404);
  expect((await fresh.get("/blog/posts")).json.data).toEqual([]);
});
