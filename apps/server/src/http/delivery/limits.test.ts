import type { PlanName } from "@stet/contract";
import { afterEach, describe, expect, test } from "vitest";
import { systemActor } from "#domain/actor";
import { newId } from "#domain/ids";
import { plansWith } from "#domain/plans";
import { registry } from "#operations/registry";
import { closedAtEnd } from "#test/closed-at-end";
import { type DeliveryNode, makeKey, problemOf, startDelivery, testReadRoutes } from "#test/delivery-node";
import { openTestServices, type Tenant } from "#test/services";

/** Small numbers, so that every limit is reached with few requests. */
const plans = plansWith({
  free: { requestsPerMonth: 40, burst: 50, ratePerSecond: 10 },
  starter: { requestsPerMonth: 20, servedPercent: 120, burst: 1_000, ratePerSecond: 1_000 },
  team: { requestsPerMonth: null, burst: null, ratePerSecond: null },
});

const services = closedAtEnd(await openTestServices({ plans }));
const nodes: DeliveryNode[] = [];
afterEach(async () => {
  services.now = new Date("2026-11-15T09:00:00.000Z");
  await Promise.all(nodes.splice(0).map((node) => node.stop()));
});

async function start(options: Parameters<typeof startDelivery>[1] = {}): Promise<DeliveryNode> {
  const node = await startDelivery(services, options);
  nodes.push(node);
  return node;
}

async function tenantWithKey(plan: PlanName, input = {}): Promise<Tenant & { key: string }> {
  const tenant = await services.makeTenant({ plan });
  return { ...tenant, key: await makeKey(services, tenant, input) };
}

const many = (count: number, ask: (n: number) => Promise<Response>) => Promise.all(Array.from({ length: count }, (_, n) => ask(n)));
const count = (answers: readonly Response[], status: number) => answers.filter((answer) => answer.status === status).length;
const remaining = (answer: Response) => Number(/"month";r=(\d+)/.exec(answer.headers.get("ratelimit") ?? "")?.[1]);

describe("headers on every response of /v1", () => {
  const POLICY = '"burst";q=50;w=5, "month";q=40;w=2592000';

  test("RateLimit-Policy and RateLimit have the form of draft 10", async () => {
    const node = await start();
    const { key } = await tenantWithKey("free");
    const first = await node.get("/blog/posts", key);
    expect(first.headers.get("ratelimit-policy")).toBe(POLICY);
    // 15 days and 15 hours to the first of December.
    expect(first.headers.get("ratelimit")).toBe('"burst";r=49;t=1, "month";r=39;t=1350000');
    const second = await node.get("/blog/posts", key);
    expect(second.headers.get("ratelimit")).toBe('"burst";r=48;t=1, "month";r=38;t=1350000');
  });

  test("they stand on 304, 400, 403, 404 and 429 too", async () => {
    const node = await start();
    const { key } = await tenantWithKey("free", { origins: ["example.com"] });
    const { headers } = await node.get("/blog/posts", key);
    const answers = [
      await node.get("/blog/posts", key, { "If-None-Match": headers.get("etag")! }),
      await node.get("/blog/posts?page=1", key),
      await node.get("/blog/posts", key, { Origin: "https://evil.example" }),
      await node.get("/blog/posts/missing", key),
      (await many(60, () => node.get("/blog/posts/missing", key))).find((answer) => answer.status === 429)!,
    ];
    expect(answers.map((answer) => answer.status)).toEqual([304, 400, 403, 404, 429]);
    for (const answer of answers) {
      expect(answer.headers.get("ratelimit-policy"), String(answer.status)).toBe(POLICY);
      expect(answer.headers.get("ratelimit"), String(answer.status)).toMatch(/^"burst";r=\d+;t=\d+, "month";r=39;t=1350000$/);
    }
  });

  test("without a valid key the policy is one per address", async () => {
    const node = await start();
    const answers = [
      await node.get("/blog/posts"),
      await node.get("/blog/posts", "stet_wrong"),
      await node.get("/nothing"),
      await node.get("/blog/posts", null, {}, "DELETE"),
      await node.get("/blog/posts", null, {}, "OPTIONS"),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([401, 401, 404, 405, 204]);
    for (const answer of answers) {
      expect(answer.headers.get("ratelimit-policy")).toBe('"address";q=50;w=5');
      expect(answer.headers.get("ratelimit")).toMatch(/^"address";r=\d+;t=\d+$/);
    }
  });

  test("a plan without limits says numbers that nobody reaches", async () => {
    const node = await start();
    const { key, workspace } = await tenantWithKey("unlimited");
    const { headers } = await node.get("/blog/posts", key);
    expect(headers.get("ratelimit-policy")).toBe('"burst";q=1000000000;w=1, "month";q=1000000000;w=2592000');
    expect(headers.get("ratelimit")).toBe('"burst";r=1000000000;t=1, "month";r=1000000000;t=1350000');
    expect(count(await many(300, () => node.get("/blog/posts", key)), 200)).toBe(300);
    // The operator may set limits again, and lift them.
    const operator = systemActor("plan set");
    await services.call(registry.change_plan, operator, { workspaceId: workspace.id, plan: "starter" });
    expect((await node.get("/blog/posts", key)).headers.get("ratelimit-policy")).toBe('"burst";q=1000;w=1, "month";q=20;w=2592000');
    await services.call(registry.change_plan, operator, { workspaceId: workspace.id, plan: "unlimited" });
    expect(count(await many(30, () => node.get("/blog/posts", key)), 200)).toBe(30);
  });
});

describe("the token bucket", () => {
  test("is exact under concurrency: of 200 requests at once exactly 50 are let in", async () => {
    const node = await start();
    const { key } = await tenantWithKey("free");
    const answers = await many(200, () => node.get("/blog/posts/missing", key));
    expect(count(answers, 404)).toBe(50);
    expect(count(answers, 429)).toBe(150);
    const refused = answers.find((answer) => answer.status === 429)!;
    expect(refused.headers.get("retry-after")).toBe("1");
    expect((await problemOf(refused)).code).toBe("RATE_LIMITED");
  });

  test("refills by the plan's rate; one address has half of it", async () => {
    const node = await start({ trustedProxies: true });
    const { key } = await tenantWithKey("free");
    const from = (address: string) => () => node.get("/blog/posts/missing", key, { "X-Forwarded-For": address });
    expect(count(await many(60, from("192.0.2.1")), 404)).toBe(50);
    services.pass(1_000);
    // 10 flowed back to the website, 5 to the address.
    expect(count(await many(20, from("192.0.2.1")), 404)).toBe(5);
    expect(count(await many(20, from("192.0.2.2")), 404)).toBe(5);
    expect(count(await many(20, from("192.0.2.3")), 404)).toBe(0);
    services.pass(60_000);
    expect(count(await many(200, from("192.0.2.3")), 404)).toBe(50);
  });

  test("belongs to the website: its keys share it, another website has its own", async () => {
    const node = await start();
    const tenant = await tenantWithKey("free");
    const second = await makeKey(services, tenant);
    const other = await tenantWithKey("free");
    await many(50, () => node.get("/blog/posts/missing", tenant.key));
    expect((await node.get("/blog/posts/missing", second)).status).toBe(429);
    expect((await node.get("/blog/posts/missing", other.key)).status).toBe(404);
  });

  test("an IPv6 client is its /64", async () => {
    const node = await start({ trustedProxies: true });
    const { key } = await tenantWithKey("starter");
    const from = (address: string) => node.get("/blog/posts", null, { "X-Forwarded-For": address });
    const same = await many(60, (n) => from(`2001:db8:1:2::${n.toString(16)}`));
    expect(count(same, 401)).toBe(50);
    expect(count(same, 429)).toBe(10);
    expect((await from("2001:db8:1:3::1")).status).toBe(401);
    // Noise from an address keeps no good key out.
    expect((await node.get("/blog/posts", key, { "X-Forwarded-For": "2001:db8:1:2::1" })).status).toBe(200);
    services.pass(1_000);
    expect((await from("2001:db8:1:2::1")).status).toBe(401);
  });

  test("X-Forwarded-For is believed only when the proxy is trusted", async () => {
    const node = await start();
    const answers = await many(60, (n) => node.get("/blog/posts", null, { "X-Forwarded-For": `192.0.2.${n}` }));
    expect(count(answers, 429)).toBe(10);
  });

  test("guessing keys is limited before it costs a query, and takes nothing from whoever has a key", async () => {
    const node = await start();
    const { key } = await tenantWithKey("free");
    expect((await node.get("/blog/posts", key)).status).toBe(200);
    const guesses = await many(80, () => node.get("/blog/posts", "stet_wrong"));
    expect(count(guesses, 401)).toBe(50);
    expect(count(guesses, 429)).toBe(30);
    expect((await node.get("/blog/posts", key)).status).toBe(200);
  });

  test("the first requests of a good key cost the address nothing", async () => {
    const node = await start();
    const { key } = await tenantWithKey("free");
    await many(20, () => node.get("/blog/posts", key));
    expect((await node.get("/blog/posts")).headers.get("ratelimit")).toBe('"address";r=49;t=1');
  });
});

describe("the month's quota", () => {
  test("is exact under concurrency: of 100 requests at once exactly as many are answered as are left", async () => {
    const node = await start();
    const { key } = await tenantWithKey("starter");
    const answers = await many(100, (n) => node.get(`/blog/posts/p${n % 3}`, key));
    // Served to 120 % of 20.
    expect(count(answers, 200)).toBe(24);
    expect(count(answers, 429)).toBe(76);
    const refused = answers.find((answer) => answer.status === 429)!;
    expect(await problemOf(refused)).toMatchObject({ code: "QUOTA_EXCEEDED", detail: expect.stringContaining("2026-12-01") });
    expect(refused.headers.get("retry-after")).toBe("1350000");
  });

  test("counted: answers 200. Not counted: 304, 4xx, 5xx, preflights", async () => {
    const node = await start();
    const { key } = await tenantWithKey("free");
    const first = await node.get("/blog/posts", key);
    expect(remaining(first)).toBe(39);
    const etag = first.headers.get("etag")!;
    const uncounted = [
      await node.get("/blog/posts", key, { "If-None-Match": etag }),
      await node.get("/blog/posts?page=1", key),
      await node.get("/blog/posts/missing", key),
      await node.get("/blog/posts/broken", key),
      await node.get("/blog/search?q=x", key),
      await node.get("/blog/posts", key, {}, "OPTIONS"),
      await node.get("/blog/posts", key, {}, "POST"),
    ];
    expect(uncounted.map((answer) => answer.status)).toEqual([304, 400, 404, 500, 403, 204, 405]);
    expect(remaining(await node.get("/blog/posts", key, {}, "HEAD"))).toBe(38);
  });

  test("the free plan is served to 100 %; 304 is served even when the month is spent", async () => {
    const node = await start();
    const { key } = await tenantWithKey("free");
    const etag = (await node.get("/blog/posts", key)).headers.get("etag")!;
    expect(count(await many(39, () => node.get("/blog/posts", key)), 200)).toBe(39);
    services.pass(60_000);
    expect((await node.get("/blog/posts", key)).status).toBe(429);
    const unchanged = await node.get("/blog/posts", key, { "If-None-Match": etag });
    expect(unchanged.status).toBe(304);
    expect(remaining(unchanged)).toBe(0);
    const changed = await node.get("/blog/posts", key, { "If-None-Match": '"another"' });
    expect((await problemOf(changed)).code).toBe("QUOTA_EXCEEDED");
    expect((await node.get("/blog/posts/cold", key, { "If-None-Match": etag })).status).toBe(429);
  });

  test("starts anew on the 1st (UTC)", async () => {
    const node = await start();
    const { key } = await tenantWithKey("starter");
    services.now = new Date("2026-11-30T23:59:59.000Z");
    await many(24, () => node.get("/blog/posts", key));
    const spent = await node.get("/blog/posts", key);
    expect(spent.status).toBe(429);
    expect(spent.headers.get("retry-after")).toBe("1");
    services.pass(1_000);
    const fresh = await node.get("/blog/posts", key);
    expect(fresh.status).toBe(200);
    expect(remaining(fresh)).toBe(19);
  });

  test("is found as it was when the clock jumped to the next month and back", async () => {
    const node = await start();
    const { key, workspace } = await tenantWithKey("free");
    await many(10, () => node.get("/blog/posts", key));
    const before = remaining(await node.get("/blog/posts", key));
    const { now } = services;
    services.pass(30 * 24 * 3_600_000);
    expect(remaining(await node.get("/blog/posts", key))).toBeGreaterThan(before);
    services.now = now;
    expect(remaining(await node.get("/blog/posts", key))).toBe(before - 1);
    await node.delivery.flush();
    expect(await services.platform.usage.requests(workspace.id, "2026-11")).toBe(12);
    expect(remaining(await node.get("/blog/posts", key))).toBe(before - 2);
    services.pass(60_000);
  });

  test("belongs to the workspace: its websites share it", async () => {
    const node = await start();
    const tenant = await tenantWithKey("free");
    const second = newId("website");
    await services.platform.websites.create({ ...tenant.website, id: second, version: 1 });
    const other = (await services.call(registry.create_key, tenant.actor, { websiteId: second, name: "Other" })).key;
    await many(30, () => node.get("/blog/posts", tenant.key));
    const answers = await many(30, () => node.get("/blog/posts", other));
    expect(count(answers, 200)).toBe(10);
  });

  test("a key can carry a monthly cap of its own, exact and kept apart from the workspace's", async () => {
    const node = await start();
    const tenant = await tenantWithKey("free", { monthlyCap: 5 });
    const open = await makeKey(services, tenant);
    const answers = await many(20, () => node.get("/blog/posts", tenant.key));
    expect(count(answers, 200)).toBe(5);
    const refused = await node.get("/blog/posts", tenant.key);
    expect((await problemOf(refused)).detail).toContain("this key");
    expect(refused.headers.get("ratelimit-policy")).toContain('"month";q=5;');
    expect(remaining(await node.get("/blog/posts", open))).toBe(34);
    await node.delivery.flush();
    const restarted = await start();
    services.pass(60_000);
    expect((await restarted.get("/blog/posts", tenant.key)).status).toBe(429);
  });

  test("goes on at once when the plan is changed", async () => {
    const node = await start();
    const tenant = await tenantWithKey("free");
    await many(40, () => node.get("/blog/posts", tenant.key));
    services.pass(60_000);
    expect((await node.get("/blog/posts", tenant.key)).status).toBe(429);
    await services.call(registry.change_plan, tenant.actor, { workspaceId: tenant.workspace.id, plan: "team" });
    expect((await node.get("/blog/posts", tenant.key)).status).toBe(200);
  });
});

describe("usage", () => {
  test("is counted per website, day, route and status class", async () => {
    const node = await start();
    const { key, website, workspace } = await tenantWithKey("free");
    await node.get("/blog/posts", key);
    await node.get("/blog/posts?limit=2", key);
    await node.get("/blog/posts/a", key);
    await node.get("/blog/posts/missing", key);
    services.now = new Date("2026-11-16T00:00:00.000Z");
    await node.get("/blog/posts/b", key);
    await node.delivery.flush();
    expect(await services.platform.usage.traffic(website.id, "2026-11-01")).toEqual([
      { day: "2026-11-15", route: "/blog/posts", statusClass: 2, requests: 2 },
      { day: "2026-11-15", route: "/blog/posts/{slugOrId}", statusClass: 2, requests: 1 },
      { day: "2026-11-15", route: "/blog/posts/{slugOrId}", statusClass: 4, requests: 1 },
      { day: "2026-11-16", route: "/blog/posts/{slugOrId}", statusClass: 2, requests: 1 },
    ]);
    expect(await services.platform.usage.requests(workspace.id, "2026-11")).toBe(4);
  });

  test("counters survive a restart", async () => {
    const node = await start();
    const { key } = await tenantWithKey("free");
    await many(10, () => node.get("/blog/posts", key));
    await nodes.pop()!.stop();
    const restarted = await start();
    expect(remaining(await restarted.get("/blog/posts", key))).toBe(29);
  });

  test("is stored each second, so a crash loses at most the last one", async () => {
    const node = await start({ flushMillis: 1_000 });
    const { key, workspace } = await tenantWithKey("free");
    await many(10, () => node.get("/blog/posts", key));
    await expect.poll(() => services.platform.usage.requests(workspace.id, "2026-11")).toBe(10);
  });

  test("what could not be stored is kept and tried again: nothing is lost, nothing is counted twice", async () => {
    const { usage } = services.platform;
    let failure: "before" | "after" | null = "before";
    const broken: typeof usage = {
      ...usage,
      async add(rows, batchId) {
        if (failure === "before") throw Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
        const totals = await usage.add(rows, batchId);
        // It was stored, but nobody heard of it.
        if (failure === "after") throw Object.assign(new Error("lost"), { code: "ECONNRESET" });
        return totals;
      },
    };
    const node = await startDelivery({ ...services, platform: { ...services.platform, usage: broken } });
    nodes.push(node);
    const { key, workspace, website } = await tenantWithKey("free");
    await many(5, () => node.get("/blog/posts", key));
    await expect(node.delivery.flush()).rejects.toThrow("connect");
    await many(5, () => node.get("/blog/posts", key));
    failure = "after";
    await expect(node.delivery.flush()).rejects.toThrow("lost");
    expect(remaining(await node.get("/blog/posts", key))).toBe(29);
    await expect(node.delivery.flush()).rejects.toThrow("lost");
    failure = null;
    await node.delivery.flush();
    await node.delivery.flush();
    expect(await usage.requests(workspace.id, "2026-11")).toBe(11);
    expect(await usage.traffic(website.id, "2026-11-01")).toEqual([
      { day: "2026-11-15", route: "/blog/posts", statusClass: 2, requests: 11 },
    ]);
    expect(remaining(await node.get("/blog/posts", key))).toBe(28);
  });

  test("a database that is away when the service stops is said, and stops nobody", async () => {
    const { usage } = services.platform;
    const broken = { ...usage, add: () => Promise.reject(Object.assign(new Error("away"), { code: "ECONNREFUSED" })) };
    const node = await startDelivery({ ...services, platform: { ...services.platform, usage: broken } });
    const { key } = await tenantWithKey("free");
    await node.get("/blog/posts", key);
    await node.stop();
    expect(node.lines.filter((line) => line.level === "error").map((line) => line.message)).toEqual([expect.stringContaining("are lost")]);
  });

  test("several nodes share the month: each learns of the others with its next flush", async () => {
    const [one, two] = [await start(), await start()];
    const { key } = await tenantWithKey("free");
    await many(10, () => one.get("/blog/posts", key));
    await many(10, () => two.get("/blog/posts", key));
    await one.delivery.flush();
    await two.delivery.flush();
    expect(remaining(await two.get("/blog/posts", key))).toBe(19);
    await one.get("/blog/posts", key);
    await one.delivery.flush();
    await two.delivery.flush();
    await one.get("/blog/posts", key);
    await one.delivery.flush();
    expect(remaining(await one.get("/blog/posts", key))).toBe(16);
  });
});

describe("the owner is warned at 75, 90 and 100 %", () => {
  const warnings = async (tenant: Tenant) => {
    const page = await services.platform.activity.list(tenant.workspace.id, { action: "quota_warning", after: null, limit: 10 });
    return page.rows.map((row) => Number(row.details.percent)).toSorted((a, b) => a - b);
  };

  test("each once, on all nodes together", async () => {
    const [one, two] = [await start(), await start()];
    const tenant = await tenantWithKey("free");
    const read = (node: DeliveryNode, times: number) => many(times, () => node.get("/blog/posts", tenant.key));
    await read(one, 29);
    await one.delivery.flush();
    expect(await warnings(tenant)).toEqual([]);
    await read(one, 1);
    await one.delivery.flush();
    expect(await warnings(tenant)).toEqual([75]);
    await read(two, 6);
    await two.delivery.flush();
    expect(await warnings(tenant)).toEqual([75, 90]);
    services.pass(60_000);
    await read(one, 10);
    await read(two, 10);
    await one.delivery.flush();
    await two.delivery.flush();
    services.pass(60_000);
    await one.get("/blog/posts", tenant.key);
    await one.delivery.flush();
    expect(await warnings(tenant)).toEqual([75, 90, 100]);
  });

  test("a warning is given by another node where the first was killed before it could write it", async () => {
    const tenant = await tenantWithKey("free");
    const telling = Promise.withResolvers<void>();
    const over = Promise.withResolvers<void>();
    const tell = () => {
      telling.resolve();
      return over.promise;
    };
    const killed = await startDelivery({ ...services, notices: { tell } }, { readRoutes: testReadRoutes() });
    nodes.push(killed);
    await many(31, () => killed.get("/blog/posts", tenant.key));
    const flushing = killed.delivery.flush();
    await telling.promise;
    const other = await start();
    try {
      await other.get("/blog/posts", tenant.key);
      await other.delivery.flush();
      expect(await warnings(tenant)).toEqual([75]);
    } finally {
      over.resolve();
    }
    await flushing;
    expect(await warnings(tenant)).toEqual([75]);
  });

  test("a warning that could not be written is written the next time", async () => {
    let isBroken = true;
    const notices: typeof services.notices = {
      tell: (notice) =>
        isBroken ? Promise.reject(Object.assign(new Error("away"), { code: "ECONNRESET" })) : services.notices.tell(notice),
    };
    const tenant = await tenantWithKey("free");
    const node = await startDelivery({ ...services, notices }, { readRoutes: testReadRoutes() });
    nodes.push(node);
    await many(31, () => node.get("/blog/posts", tenant.key));
    await expect(node.delivery.flush()).rejects.toThrow("away");
    isBroken = false;
    await node.delivery.flush();
    expect(await warnings(tenant)).toEqual([75]);
  });
});
