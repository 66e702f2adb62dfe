import { beforeAll, describe, expect, test } from "vitest";
import { registry } from "#operations/registry";
import { closedAtEnd } from "#test/closed-at-end";
import { openService } from "./service.ts";

const service = closedAtEnd(await openService());
const blog = await service.blog();
await blog.write.post("Hello");

const list = (key: string | null, headers: Record<string, string> = {}) => service.ask("/blog/posts", { key, headers });

describe("a project key", () => {
  test("is sent as Authorization: Bearer <API_KEY>; the header name is matched case-insensitively", async () => {
    for (const name of ["Authorization", "authorization", "AUTHORIZATION", "aUTHORIZATION"]) {
      expect((await list(null, { [name]: `Bearer ${blog.key}` })).status).toBe(200);
    }
  });

  test("anywhere else it is no key: not in the query, not in another header, not in a cookie, not as Basic", async () => {
    expect((await service.ask(`/blog/posts?api_key=${blog.key}`)).code).toBe("MISSING_API_KEY");
    for (const headers of [
      { "X-Api-Key": blog.key },
      { Cookie: `key=${blog.key}` },
      { Authorization: `Basic ${btoa(`key:${blog.key}`)}` },
      { Authorization: blog.key },
    ] as Record<string, string>[]) {
      expect((await list(null, headers)).code).toBe("MISSING_API_KEY");
    }
  });

  test("grants read access to the published content of one website and nothing else", async () => {
    const other = await service.blog();
    const theirs = await other.write.post("Theirs");
    for (const path of ["/blog/posts/theirs", `/blog/posts/${theirs.id}`, `/blog/posts/${theirs.id}/views`]) {
      expect([path, (await blog.get(path)).status]).toEqual([path, 404]);
      expect([path, (await other.get(path)).status]).toEqual([path, 200]);
    }
    // The dashboard's own interface knows no keys.
    const answer = await service.ask("/../api/websites", { key: blog.key, described: false });
    expect(answer.status).toBe(404);
  });

  test("is stet_ and 40 base62 characters, the last 6 a checksum of the rest: a mistyped one is refused", async () => {
    expect(blog.key).toMatch(/^stet_[0-9A-Za-z]{40}$/);
    for (let position = 5; position < blog.key.length; position += 3) {
      const typo = blog.key.slice(0, position) + (blog.key[position] === "x" ? "y" : "x") + blog.key.slice(position + 1);
      const answer = await list(typo);
      expect([typo, answer.status, answer.code]).toEqual([typo, 401, "INVALID_API_KEY"]);
    }
  });

  test("INVALID_API_KEY: unknown or revoked alike, byte for byte", async () => {
    const revoked = await blog.makeKey();
    const { keys } = { keys: await service.services.call(registry.list_keys, blog.tenant.actor, { websiteId: blog.tenant.website.id }) };
    const record = keys.find((key) => key.masked.endsWith(revoked.slice(-4)))!;
    expect((await list(revoked)).status).toBe(200);
    await service.services.call(registry.revoke_key, blog.tenant.actor, { websiteId: blog.tenant.website.id, keyId: record.id });
    // Revocation takes effect on the next request.
    const headers = { "X-Request-Id": "same" };
    const [gone, unknown, mistyped] = [
      await list(revoked, headers),
      await list(`${revoked.slice(0, -1)}!`, headers),
      await list("stet_x", headers),
    ];
    expect(gone.status).toBe(401);
    expect([unknown.text, mistyped.text]).toEqual([gone.text, gone.text]);
  });

  test("is stored only as a keyed hash, masked as first 4 … last 4", async () => {
    const key = await blog.makeKey();
    const [tables, listed] = [
      (await service.services.database.query<{ row: string }>({ text: "SELECT row_to_json(api_keys)::text AS row FROM api_keys" })).rows,
      await service.services.call(registry.list_keys, blog.tenant.actor, { websiteId: blog.tenant.website.id }),
    ];
    for (const { row } of tables) expect(row).not.toContain(key.slice(5, -4));
    expect(listed.map((view) => view.masked)).toContain(`${key.slice(0, 4)}…${key.slice(-4)}`);
  });

  test("free plan: two live keys a website, also when created at the same moment; the third is 403 PLAN_LIMIT", async () => {
    const free = await service.blog({ plan: "free" });
    const made = await Promise.allSettled([1, 2, 3, 4].map(() => free.makeKey()));
    expect(made.filter((result) => result.status === "fulfilled")).toHaveLength(1);
    for (const result of made) if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "PLAN_LIMIT" });
    const paid = await service.blog({ plan: "starter" });
    expect(new Set(await Promise.all([1, 2, 3, 4, 5].map(() => paid.makeKey()))).size).toBe(5);
  });

  test("last-used is kept to the minute, off the request path", async () => {
    const key = await blog.makeKey({ name: "Looked at" });
    const used = async () =>
      (await service.services.call(registry.list_keys, blog.tenant.actor, { websiteId: blog.tenant.website.id })).find(
        (view) => view.name === "Looked at",
      )!.lastUsedAt;
    expect(await used()).toBeNull();
    service.services.now = new Date("2026-11-15T10:11:12.345Z");
    await list(key);
    await expect.poll(used).toBe("2026-11-15T10:11:00.000Z");
  });
});

describe("allowed origins", () => {
  let key: string;
  beforeAll(async () => {
    key = await blog.makeKey({ origins: ["example.com", "*.example.org", "http://localhost:3000"] });
  });

  test.each(["https://example.com", "https://a.example.org", "https://a.b.example.org", "http://localhost:3000"])(
    "%s is allowed, and named back",
    async (Origin) => {
      const answer = await list(key, { Origin });
      expect([answer.status, answer.headers["access-control-allow-origin"]]).toEqual([200, Origin]);
    },
  );

  test.each([
    "http://example.com",
    "https://example.com:8443",
    "https://www.example.com",
    "https://example.com.evil.test",
    "https://notexample.com",
    "https://example.org",
    "http://a.example.org",
    "https://a.example.org:444",
    "https://xexample.org",
    "http://localhost",
    "http://localhost:3001",
    "https://localhost:3000",
    "null",
    "",
    "https://EXAMPLE.com",
    "https://example.com/",
    "https://example.com@evil.test",
    "https://evil.test#.example.org",
    "file://",
    "chrome-extension://example.com",
    "https://example.com https://evil.test",
  ])("a request whose Origin does not match (%s): 403 and no Access-Control-Allow-Origin", async (Origin) => {
    const answer = await list(key, { Origin });
    expect([answer.status, answer.code]).toEqual([403, "ORIGIN_NOT_ALLOWED"]);
    expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
  });

  test("Origin: null never matches; a key without a list is for any origin, null too", async () => {
    expect((await list(key, { Origin: "null" })).status).toBe(403);
    const open = await list(blog.key, { Origin: "null" });
    expect([open.status, open.headers["access-control-allow-origin"]]).toEqual([200, "*"]);
  });

  test("a request without Origin comes from no page of another origin: servers can use the key", async () => {
    expect((await list(key)).status).toBe(200);
  });

  test("preflights carry no key, so they are answered for any origin, for a day", async () => {
    for (const Origin of ["https://example.com", "https://evil.test", "null"]) {
      const headers = {
        Origin,
        "Access-Control-Request-Method": "GET",
        "Access-Control-Request-Headers": "authorization,if-none-match,x-request-id",
      };
      const answer = await service.ask("/blog/posts", { method: "OPTIONS", headers });
      expect(answer.status).toBe(204);
      expect(answer.headers["access-control-allow-origin"]).toMatch(/^(\*|https:\/\/|null)/);
      expect(answer.headers["access-control-allow-headers"]!.toLowerCase().split(", ")).toEqual(
        expect.arrayContaining(["authorization", "if-none-match", "x-request-id"]),
      );
      expect(answer.headers["access-control-allow-methods"]).toContain("GET");
      expect(answer.headers["access-control-max-age"]).toBe("86400");
      expect(answer.headers).not.toHaveProperty("access-control-allow-credentials");
    }
  });

  test("CORS headers stand on 304, 401, 404 and 400 too, and expose what a page needs", async () => {
    const Origin = "https://example.com";
    const { etag } = (await list(key, { Origin })).headers;
    const answers = [
      await list(key, { Origin, "If-None-Match": etag! }),
      await list(null, { Origin }),
      await service.ask("/blog/posts/nothing", { key, headers: { Origin } }),
      await service.ask("/blog/posts?limit=0", { key, headers: { Origin } }),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([304, 401, 404, 400]);
    for (const { headers } of answers) {
      expect(headers["access-control-allow-origin"]).toMatch(/^(\*|https:\/\/example\.com)$/);
      expect(headers["access-control-expose-headers"]).toBe("RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, ETag, Link");
    }
  });

  test("a change of the list takes effect on the next request", async () => {
    const changing = await blog.makeKey({ name: "Changing", origins: ["example.com"] });
    const asked = () => list(changing, { Origin: "https://other.test" });
    expect((await asked()).status).toBe(403);
    const { actor, website } = blog.tenant;
    const record = (await service.services.call(registry.list_keys, actor, { websiteId: website.id })).find(
      (view) => view.name === "Changing",
    )!;
    await service.services.call(registry.update_key, actor, { websiteId: website.id, keyId: record.id, origins: ["other.test"] });
    expect((await asked()).status).toBe(200);
  });
});

test("{openapi_url} is public and needs no authentication", async () => {
  const answer = await service.ask("/openapi.json");
  expect([answer.status, answer.json.openapi, answer.headers["access-control-allow-origin"]]).toEqual([200, "3.1.1", "*"]);
  expect((await service.ask("/openapi.json", { key: "rubbish" })).status).toBe(200);
});
