import { ERRORS } from "@stet/contract";
import { describe, expect, test } from "vitest";
import { fail } from "#domain/failure";
import { closedAtEnd } from "#test/closed-at-end";
import { openService } from "./service.ts";

const service = closedAtEnd(await openService());
const blog = await service.blog();

test("errors are application/problem+json (RFC 9457): type (a page of the docs), title, status, detail, code, requestId", async () => {
  const answer = await blog.get("/blog/posts?limit=0");
  expect(answer.headers["content-type"]).toBe("application/problem+json");
  expect(answer.json).toEqual({
    type: "https://stet.test/docs/errors#INVALID_LIMIT",
    title: "Invalid limit",
    status: 400,
    detail: expect.stringMatching(/from 1 to 100.+/),
    code: "INVALID_LIMIT",
    requestId: answer.headers["x-request-id"],
    facts: { min: 1, max: 100 },
  });
});

test("each code has the status of the contract's table, and detail says what to do next", async () => {
  const free = await service.blog({ plan: "free" });
  const bound = await blog.makeKey({ origins: ["example.com"] });
  const newer = Buffer.from('{"v":2}').toString("base64url");
  const cases: [number, keyof typeof ERRORS, Promise<{ status: number; code: unknown; json: { detail: string } }>][] = [
    [400, "INVALID_LIMIT", blog.get("/blog/posts?limit=101")],
    [400, "UNSUPPORTED_SORT", blog.get("/blog/posts?sort=random")],
    [400, "INVALID_CURSOR", blog.get("/blog/posts?cursor=x")],
    [400, "UNSUPPORTED_CURSOR_VERSION", blog.get(`/blog/posts?cursor=${newer}`)],
    [400, "UNKNOWN_PARAMETER", blog.get("/blog/posts?page=1")],
    [400, "INVALID_PARAMETER", blog.get("/blog/posts?featured=1")],
    [400, "MALFORMED_BODY", service.ask("/collect", { method: "POST", headers: { "Content-Type": "application/json" }, body: "{" })],
    [401, "MISSING_API_KEY", service.ask("/blog/posts")],
    [401, "INVALID_API_KEY", service.ask("/blog/posts", { key: "stet_nothing" })],
    [403, "ORIGIN_NOT_ALLOWED", service.ask("/blog/posts", { key: bound, headers: { Origin: "https://evil.example" } })],
    [403, "PLAN_REQUIRED", free.get("/blog/search?q=x")],
    [404, "NOT_FOUND", blog.get("/blog/posts/nothing")],
    [404, "ROUTE_NOT_FOUND", blog.get("/blog/nothing")],
    [405, "METHOD_NOT_ALLOWED", blog.get("/blog/posts", { method: "DELETE" })],
    [
      413,
      "PAYLOAD_TOO_LARGE",
      service.ask("/collect", { method: "POST", headers: { "Content-Type": "text/plain" }, body: "x".repeat(5_000) }),
    ],
    [415, "UNSUPPORTED_MEDIA_TYPE", service.ask("/collect", { method: "POST", headers: { "Content-Type": "text/xml" }, body: "<a/>" })],
    [422, "VALIDATION_FAILED", blog.get("/blog/feed.xml")],
  ];
  for (const [status, code, asked] of cases) {
    const answer = await asked;
    expect([answer.status, answer.code]).toEqual([status, code]);
    expect(ERRORS[code].status).toBe(status);
    expect(answer.json.detail, code).toMatch(/^.{20,}/s);
  }
});

test("errors[{field,message}] are present where fields are at fault", async () => {
  expect((await blog.get("/blog/feed.xml")).json.errors).toEqual([
    { field: "settings.publicUrl", message: expect.stringContaining("public address") },
  ]);
});

test("401 carries WWW-Authenticate", async () => {
  expect((await service.ask("/blog/posts")).headers["www-authenticate"]).toBe('Bearer realm="stet"');
  expect((await service.ask("/blog/posts", { key: "wrong" })).headers["www-authenticate"]).toBe(
    'Bearer realm="stet", error="invalid_token"',
  );
});

test("while the database does not answer: 503 with Retry-After, no stack, SQL or host name; afterwards it goes on", async () => {
  const { services } = service;
  const { websites } = services.platform;
  const key = await blog.makeKey();
  const answers = websites.get;
  const outage = Object.assign(new Error("connect ECONNREFUSED 10.1.2.3:5432 db.internal"), { code: "ECONNREFUSED" });
  websites.get = async () => Promise.reject(outage);
  const answer = await service.ask("/blog/posts", { key });
  websites.get = answers;
  expect([answer.status, answer.code]).toEqual([503, "UNAVAILABLE"]);
  expect(answer.text).not.toMatch(/10\.1\.2\.3|db\.internal|ECONN/);
  expect((await service.ask("/blog/posts", { key })).status).toBe(200);
});

describe("when the content store fails", () => {
  /** Lets one question of the store fail while `work` runs. */
  async function failing<Result>(error: Error, work: () => Promise<Result>): Promise<Result> {
    const { posts } = service.services.contentOf(blog.tenant.website);
    const { getLive } = posts;
    posts.getLive = async () => Promise.reject(error);
    try {
      return await work();
    } finally {
      posts.getLive = getLive;
    }
  }

  test("a fault of ours is 500 INTERNAL: no stack, SQL or host name ever", async () => {
    const post = await blog.write.post("Faulty");
    const answer = await failing(new Error("SELECT secret FROM db.internal at host 10.1.2.3"), () => blog.get(`/blog/posts/${post.id}`));
    expect([answer.status, answer.code]).toEqual([500, "INTERNAL"]);
    expect(answer.text).not.toMatch(/secret|10\.1\.2\.3|db\.internal/);
    expect((await blog.get(`/blog/posts/${post.id}`)).status).toBe(200);
  });

  test("it does not answer: 503 CONTENT_STORE_UNAVAILABLE with Retry-After, or the last good answer marked with Cache-Status and Age", async () => {
    const [held, unseen] = [await blog.write.post("Held"), await blog.write.post("Unseen")];
    const good = await blog.get(`/blog/posts/${held.id}`);
    // Something else changes, so that what is held has to be asked for again.
    await blog.write.post("Other");
    service.services.pass(5_000);
    const away = fail("CONTENT_STORE_UNAVAILABLE", "The database that holds the content does not answer. Try again in a few seconds.");
    await failing(away, async () => {
      const old = await blog.get(`/blog/posts/${held.id}`);
      expect([old.status, old.text, old.headers["age"]]).toEqual([200, good.text, "5"]);
      expect(old.headers["cache-status"]).toMatch(/stale/);
      const none = await blog.get(`/blog/posts/${unseen.id}`);
      expect([none.status, none.code]).toEqual([503, "CONTENT_STORE_UNAVAILABLE"]);
    });
    service.services.pass(2_000);
    expect((await blog.get(`/blog/posts/${held.id}`)).headers).not.toHaveProperty("cache-status");
  });
});
