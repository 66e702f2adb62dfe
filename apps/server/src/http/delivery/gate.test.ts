import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { makeApiKey } from "#domain/api-key";
import { isId } from "#domain/ids";
import { createKeyring } from "#adapters/keyring/keyring";
import { registry } from "#operations/registry";
import { type DeliveryNode, makeKey, problemOf, startDelivery, testReadRoutes } from "#test/delivery-node";
import { openTestServices, type Tenant, TEST_SECRET, type TestServices } from "#test/services";

let services: TestServices;
let tenant: Tenant;
let key: string;
let node: DeliveryNode;
beforeAll(async () => {
  services = await openTestServices();
  tenant = await services.makeTenant();
  key = await makeKey(services, tenant);
  node = await startDelivery(services);
});
afterAll(async () => {
  await node.stop();
  await services.close();
});
const extra: DeliveryNode[] = [];
afterEach(async () => {
  // Buckets fill up again between tests.
  services.pass(60_000);
  await Promise.all(extra.splice(0).map((other) => other.stop()));
});

describe("methods and paths", () => {
  test("GET and HEAD; no other method exists for keys: 405 with Allow", async () => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      const response = await node.get("/blog/posts", key, {}, method);
      expect(response.status).toBe(405);
      expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
      expect((await problemOf(response)).code).toBe("METHOD_NOT_ALLOWED");
    }
    expect((await node.get("/blog/posts", key)).status).toBe(200);
  });

  test.each(["/nothing", "", "/", "/blog/posts/", "/blog//posts", "/blog/posts/a/b", "/BLOG/posts", "/blog/posts;x", "/../metrics"])(
    "an unknown path is 404 ROUTE_NOT_FOUND: %s",
    async (path) => {
      const response = await node.get(path.startsWith("/..") ? "/%2e%2e/metrics" : path, key);
      expect(response.status).toBe(404);
      expect((await problemOf(response)).code).toBe("ROUTE_NOT_FOUND");
    },
  );

  test("HEAD has the same headers as GET, and no body", async () => {
    const headers = { "Accept-Encoding": "identity" };
    const get = await node.get("/blog/posts/long", key, headers);
    const head = await node.get("/blog/posts/long", key, headers, "HEAD");
    expect(head.status).toBe(200);
    expect(await head.text()).toBe("");
    for (const name of ["content-type", "content-length", "etag", "cache-control", "vary", "ratelimit-policy"]) {
      expect(head.headers.get(name), name).toBe(get.headers.get(name));
    }
    expect(Number(get.headers.get("content-length"))).toBe((await get.arrayBuffer()).byteLength);
  });
});

describe("the key", () => {
  test("is sent as Authorization: Bearer; the header's name and scheme match in any case", async () => {
    for (const header of [`Bearer ${key}`, `bearer ${key}`, `BEARER   ${key}`]) {
      expect((await node.get("/blog/posts", null, { AUTHORIZATION: header })).status, header).toBe(200);
    }
  });

  test("no key: 401 MISSING_API_KEY with WWW-Authenticate", async () => {
    for (const headers of [{}, { Authorization: "Basic YTpi" }, { Authorization: key }] as Record<string, string>[]) {
      const response = await node.get("/blog/posts", null, headers);
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toBe('Bearer realm="stet"');
      expect((await problemOf(response)).code).toBe("MISSING_API_KEY");
    }
  });

  test("unknown, mistyped or malformed: 401 INVALID_API_KEY with WWW-Authenticate", async () => {
    const mistyped = key.slice(0, -7) + (key.at(-7) === "a" ? "b" : "a") + key.slice(-6);
    for (const wrong of [makeApiKey(), mistyped, "stet_short", `${key} ${key}`, `${key},x`, "ü", "x".repeat(5_000)]) {
      const response = await node.get("/blog/posts", null, { Authorization: `Bearer ${encodeURIComponent(wrong)}` });
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toContain('error="invalid_token"');
      expect((await problemOf(response)).code).toBe("INVALID_API_KEY");
    }
  });

  test("a mistyped key is refused without a look-up, an unknown one is looked up once", async () => {
    let looked = 0;
    const { keys } = services.platform;
    const counting: TestServices = {
      ...services,
      platform: {
        ...services.platform,
        keys: {
          ...keys,
          findByHash(hash) {
            looked += 1;
            return keys.findByHash(hash);
          },
        },
      },
    };
    const other = await startDelivery(counting);
    extra.push(other);
    await other.get("/blog/posts", `${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`);
    expect(looked).toBe(0);
    const unknown = makeApiKey();
    for (let i = 0; i < 5; i++) expect((await other.get("/blog/posts", unknown)).status).toBe(401);
    expect(looked).toBe(1);
    const answers = await Promise.all(Array.from({ length: 20 }, () => other.get("/blog/posts", key)));
    expect(answers.every((answer) => answer.status === 200)).toBe(true);
    expect(looked).toBe(2);
  });

  test("grants read access to the published content of one website and nothing else", async () => {
    const stranger = await services.makeTenant();
    const strangersKey = await makeKey(services, stranger);
    const own = (await (await node.get("/blog/posts", key)).json()) as { website: string };
    const theirs = (await (await node.get("/blog/posts", strangersKey)).json()) as { website: string };
    expect(own.website).toBe(tenant.website.id);
    expect(theirs.website).toBe(stranger.website.id);
  });

  test("revocation takes effect on the next request", async () => {
    const { key: shortLived, record } = await services.call(registry.create_key, tenant.actor, {
      websiteId: tenant.website.id,
      name: "Soon gone",
    });
    expect((await node.get("/blog/posts", shortLived)).status).toBe(200);
    await services.call(registry.revoke_key, tenant.actor, { websiteId: tenant.website.id, keyId: record.id });
    const refused = await node.get("/blog/posts", shortLived);
    expect(refused.status).toBe(401);
    expect((await problemOf(refused)).code).toBe("INVALID_API_KEY");
    expect((await node.get("/blog/posts", key)).status).toBe(200);
  });

  test("a key of a deleted website or workspace is an unknown one", async () => {
    const gone = await services.makeTenant();
    const itsKey = await makeKey(services, gone);
    expect((await node.get("/blog/posts", itsKey)).status).toBe(200);
    await services.call(registry.delete_website, gone.actor, { websiteId: gone.website.id, confirmName: gone.website.name });
    expect((await node.get("/blog/posts", itsKey)).status).toBe(401);
  });

  test("works after the server secret was rotated", async () => {
    const rotated = await startDelivery({ ...services, keyring: createKeyring(["a brand new secret of the server", TEST_SECRET]) });
    extra.push(rotated);
    expect((await rotated.get("/blog/posts", key)).status).toBe(200);
  });

  test("a key made a moment after it was guessed works at once", async () => {
    const late = makeApiKey();
    expect((await node.get("/blog/posts", late)).status).toBe(401);
    const mac = services.keyring.mac("api-key", late);
    const [example] = await services.platform.keys.list(tenant.website.id);
    await services.platform.keys.create({ ...example!, id: "key_01h455vb4pex5vsknk084sn02q" as never, ...mac, revokedAt: null });
    await services.signals.tellHere({ topic: "access", id: tenant.website.id });
    expect((await node.get("/blog/posts", late)).status).toBe(200);
  });

  test("last used is kept to the minute, off the request path", async () => {
    const { key: used, record } = await services.call(registry.create_key, tenant.actor, { websiteId: tenant.website.id, name: "Used" });
    services.now = new Date("2026-11-15T10:20:30.456Z");
    await node.get("/blog/posts", used);
    expect((await services.platform.keys.get(tenant.website.id, record.id as never))?.lastUsedAt).toBeNull();
    await node.delivery.flush();
    expect((await services.platform.keys.get(tenant.website.id, record.id as never))?.lastUsedAt).toBe("2026-11-15T10:20:00.000Z");
  });
});

describe("the query", () => {
  test("unknown query parameters: 400 UNKNOWN_PARAMETER; ?page= is told that paging uses cursors", async () => {
    const unknown = await node.get("/blog/posts?colour=red", key);
    expect(unknown.status).toBe(400);
    expect(await problemOf(unknown)).toMatchObject({ code: "UNKNOWN_PARAMETER", detail: expect.stringContaining("limit, sort, cursor") });
    const page = await node.get("/blog/posts?page=2", key);
    expect(await problemOf(page)).toMatchObject({ code: "UNKNOWN_PARAMETER", detail: expect.stringContaining("paging uses cursors") });
    expect((await problemOf(await node.get("/blog/posts/a?x", key))).detail).toContain("takes none");
  });

  test("a repeated parameter: 400", async () => {
    for (const query of ["limit=1&limit=2", "limit=1&limit=1", "limit=1&%6cimit=1"]) {
      const response = await node.get(`/blog/posts?${query}`, key);
      expect(response.status).toBe(400);
      expect((await problemOf(response)).detail).toContain("twice");
    }
  });

  test.each(["sort=%", "sort=%zz", "sort=%ED%A0%80", "sort=%00", "%ff=1"])("what cannot be decoded is 400: %s", async (query) => {
    const response = await node.get(`/blog/posts?${query}`, key);
    expect(response.status).toBe(400);
    expect((await problemOf(response)).code).toMatch(/^(INVALID|UNKNOWN)_PARAMETER$/);
  });

  test.each(["/blog/posts/%", "/blog/posts/%zz", "/blog/posts/%00", "/blog/posts/%ff/views"])("nor a path: %s", async (path) => {
    const response = await node.get(path, key);
    expect(response.status).toBe(400);
    expect((await problemOf(response)).code).toBe("INVALID_PARAMETER");
  });

  test("a parameter of the path arrives decoded, a slash in it too", async () => {
    const body = (await (await node.get("/blog/posts/caf%C3%A9%2Fb", key)).json()) as { data: { slugOrId: string } };
    expect(body.data.slugOrId).toBe("café/b");
  });

  test("values arrive decoded; an empty query and empty parts are nothing", async () => {
    expect(await (await node.get("/blog/posts?sort=a+b%2Bc", key)).json()).toMatchObject({ sort: "a b+c" });
    expect((await node.get("/blog/posts?", key)).status).toBe(200);
    expect((await node.get("/blog/posts?&&", key)).status).toBe(200);
    expect(await (await node.get("/blog/posts?sort", key)).json()).toMatchObject({ sort: "" });
  });

  test("what a route refuses keeps its code", async () => {
    const response = await node.get("/blog/posts?limit=many", key);
    expect(response.status).toBe(400);
    expect((await problemOf(response)).code).toBe("INVALID_LIMIT");
  });
});

describe("plans", () => {
  test("what belongs to a paid plan is 403 PLAN_REQUIRED on the free one, and works as soon as the plan changes", async () => {
    const free = await services.makeTenant({ plan: "free" });
    const itsKey = await makeKey(services, free);
    const refused = await node.get("/blog/search?q=x", itsKey);
    expect(refused.status).toBe(403);
    expect((await problemOf(refused)).code).toBe("PLAN_REQUIRED");
    await services.call(registry.change_plan, free.actor, { workspaceId: free.workspace.id, plan: "starter" });
    expect((await node.get("/blog/search?q=x", itsKey)).status).toBe(200);
  });
});

describe("errors", () => {
  test("are application/problem+json with type, title, status, detail, code and requestId; what does not exist is 404", async () => {
    const response = await node.get("/blog/posts/missing", key, { "X-Request-Id": "trace-7" });
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(response.headers.get("x-request-id")).toBe("trace-7");
    expect(await problemOf(response)).toEqual({
      type: "https://stet.test/docs/errors#NOT_FOUND",
      title: "Not found",
      status: 404,
      code: "NOT_FOUND",
      detail: expect.any(String),
      requestId: "trace-7",
    });
  });

  test("a fault of ours is 500 INTERNAL without a word about our insides, which are in the log", async () => {
    const response = await node.get("/blog/posts/broken", key);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toMatch(/SELECT|10\.0\.0\.7|stack/);
    expect(node.lines.some((line) => line.level === "error" && String(line.facts.err).includes("10.0.0.7"))).toBe(true);
  });

  test("every answer carries X-Request-Id", async () => {
    for (const path of ["/blog/posts", "/nothing", "/blog/posts?page=1"]) {
      expect(isId("request", (await node.get(path, key)).headers.get("x-request-id") ?? "")).toBe(true);
    }
  });
});

test("requests leave no line in the log above debug", async () => {
  const other = await startDelivery(services, { readRoutes: testReadRoutes() });
  extra.push(other);
  await (await other.get("/blog/posts", key)).text();
  await expect.poll(() => other.lines.length).toBe(1);
  expect(other.lines[0]?.level).toBe("debug");
});
