import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type DeliveryNode, makeKey, problemOf, startDelivery } from "#test/delivery-node";
import { openTestServices, type Tenant, type TestServices } from "#test/services";

let services: TestServices;
let tenant: Tenant;
let node: DeliveryNode;
/** May be used from anywhere, and only from these. */
let open: string;
let restricted: string;
beforeAll(async () => {
  services = await openTestServices();
  tenant = await services.makeTenant();
  open = await makeKey(services, tenant);
  restricted = await makeKey(services, tenant, { origins: ["example.com", "*.example.org", "http://localhost:3000"] });
  node = await startDelivery(services);
});
afterAll(async () => {
  await node.stop();
  await services.close();
});
afterEach(() => services.pass(60_000));

const EXPOSED = "RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, ETag, Link";
const from = (origin: string, key: string | null = restricted, path = "/blog/posts", headers = {}) =>
  node.get(path, key, { Origin: origin, ...headers });

describe("a key with allowed origins", () => {
  test.each(["https://example.com", "https://www.example.org", "https://a.b.example.org", "http://localhost:3000"])(
    "can be used from %s, which may read the answer",
    async (origin) => {
      const response = await from(origin);
      expect(response.status).toBe(200);
      expect(response.headers.get("access-control-allow-origin")).toBe(origin);
      expect(response.headers.get("access-control-expose-headers")).toBe(EXPOSED);
      expect(response.headers.get("vary")).toContain("Origin");
    },
  );

  test.each([
    ["another domain", "https://evil.example"],
    ["null", "null"],
    ["another scheme", "http://example.com"],
    ["another port", "https://example.com:8443"],
    ["a subdomain that is not allowed", "https://www.example.com"],
    ["the domain of a subdomain wildcard", "https://example.org"],
    ["a domain that only ends so", "https://evilexample.org"],
    ["a domain that only begins so", "https://example.com.evil.example"],
    ["another port of localhost", "http://localhost:3001"],
    ["upper case, which no browser sends", "https://EXAMPLE.com"],
    ["a trailing slash", "https://example.com/"],
    ["a user in front", "https://example.com@evil.example"],
    ["two origins", "https://example.com, https://evil.example"],
    ["no origin at all", "example.com"],
  ])("is refused from %s: 403 ORIGIN_NOT_ALLOWED and no Access-Control-Allow-Origin", async (_case, origin) => {
    const response = await from(origin);
    expect(response.status).toBe(403);
    expect((await problemOf(response)).code).toBe("ORIGIN_NOT_ALLOWED");
    expect(response.headers.has("access-control-allow-origin")).toBe(false);
    expect(response.headers.get("vary")).toContain("Origin");
  });

  test("works without an Origin header: that is no page of another origin", async () => {
    expect((await node.get("/blog/posts", restricted)).status).toBe(200);
  });

  test("a refused origin gets no byte of content, also when its ETag matches", async () => {
    const { headers } = await from("https://example.com");
    const response = await from("https://evil.example", restricted, "/blog/posts", { "If-None-Match": headers.get("etag")! });
    expect(response.status).toBe(403);
  });
});

describe("a key without allowed origins", () => {
  // Whoever can read the key can use it from anywhere, so refusing a sandboxed page would protect nothing.
  test.each(["https://anything.example", "http://localhost:1", "null"])("can be used from any, %s too", async (origin) => {
    const response = await from(origin, open);
    expect(response.status).toBe(200);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
  });
});

describe("CORS headers stand on every answer", () => {
  test("on 304, 400, 401, 404, 405 and 429 too", async () => {
    const { headers } = await from("https://example.com");
    const answers = [
      await from("https://example.com", restricted, "/blog/posts", { "If-None-Match": headers.get("etag")! }),
      await from("https://example.com", restricted, "/blog/posts?page=1"),
      await from("https://example.com", null),
      await from("https://example.com", "stet_wrong"),
      await from("https://example.com", restricted, "/nothing"),
      await node.get("/blog/posts", restricted, { Origin: "https://example.com" }, "DELETE"),
      (await Promise.all(Array.from({ length: 70 }, () => from("https://example.com", null)))).at(-1)!,
    ];
    expect(answers.map((answer) => answer.status)).toEqual([304, 400, 401, 401, 404, 405, 429]);
    for (const answer of answers) {
      expect(answer.headers.get("access-control-allow-origin"), String(answer.status)).toMatch(/^(\*|https:\/\/example\.com)$/);
      expect(answer.headers.get("access-control-expose-headers"), String(answer.status)).toBe(EXPOSED);
    }
  });

  test("preflights carry no key, so they are answered for any origin, and kept for a day", async () => {
    for (const [path, origin] of [
      ["/blog/posts", "https://evil.example"],
      ["/blog/posts/a-post", "null"],
      ["/nothing", "https://example.com"],
    ] as const) {
      const response = await node.get(
        path,
        null,
        { Origin: origin, "Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "authorization" },
        "OPTIONS",
      );
      expect(response.status).toBe(204);
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      expect(response.headers.get("access-control-allow-methods")).toBe("GET, HEAD");
      expect(response.headers.get("access-control-allow-headers")).toMatch(/\bAuthorization\b/);
      expect(response.headers.get("access-control-max-age")).toBe("86400");
      expect(await response.text()).toBe("");
    }
  });
});
