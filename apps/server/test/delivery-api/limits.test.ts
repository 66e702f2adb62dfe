import { HOSTED_PLAN_NAMES } from "@stet/contract";
import { describe, expect, test } from "vitest";
import { PLAN_TABLE } from "#domain/plan-table";
import { plansWith } from "#domain/plans";
import { registry } from "#operations/registry";
import { closedAtEnd } from "#test/closed-at-end";
import { type Blog, openService, startNode } from "./service.ts";

/** The plans of the contract, with months small enough to spend. */
const MONTH = { free: 20, starter: 50, team: 50 } as const;
const service = closedAtEnd(
  await openService({
    plans: plansWith({
      free: { requestsPerMonth: MONTH.free },
      starter: { requestsPerMonth: MONTH.starter, ratePerSecond: 1_000_000, burst: 1_000_000 },
      team: { requestsPerMonth: 1_000_000 },
    }),
  }),
);

const rateLimit = (header: unknown): Record<string, number> => {
  const pairs = String(header).matchAll(/"(\w+)";r=(\d+);t=(\d+)/g);
  return Object.fromEntries(
    [...pairs].flatMap(([, name, r, t]) => [
      [`${name}.r`, Number(r)],
      [`${name}.t`, Number(t)],
    ]),
  );
};
const statuses = (answers: readonly { status: number }[]) => {
  const tally: Record<number, number> = {};
  for (const { status } of answers) tally[status] = (tally[status] ?? 0) + 1;
  return tally;
};
const times = <Result>(count: number, ask: (n: number) => Promise<Result>) => Promise.all(Array.from({ length: count }, (_, n) => ask(n)));
const spent = (blog: Blog) =>
  service.services.platform.usage.requests(blog.tenant.workspace.id, service.services.now.toISOString().slice(0, 7));

test("the table of plans is the contract's", () => {
  const shown = HOSTED_PLAN_NAMES.map((name) => {
    const { requestsPerMonth, ratePerSecond, burst, websites, storageBytes, liveKeys, search, servedPercent, ownDatabase, ownImageStore } =
      PLAN_TABLE[name];
    return [
      name,
      requestsPerMonth,
      ratePerSecond,
      burst,
      websites,
      storageBytes,
      liveKeys,
      [search, ownDatabase, ownImageStore],
      servedPercent,
    ];
  });
  expect(shown).toEqual([
    ["free", 10_000, 10, 50, 1, 100_000_000, 2, [false, false, false], 100],
    ["starter", 100_000, 50, 250, 1, 1_000_000_000, null, [true, true, true], 120],
    ["team", 500_000, 100, 500, 5, 20_000_000_000, null, [true, true, true], 120],
  ]);
});

describe("the token bucket of a website", () => {
  test("its parameters are set by the plan: 50 at once and 10 a second on Free, exact when all come at the same moment", async () => {
    const blog = await service.blog({ plan: "free" });
    const answers = await times(120, () => blog.get("/blog/posts/nothing"));
    expect(statuses(answers)).toEqual({ 404: 50, 429: 70 });
    service.services.pass(1_000);
    expect(statuses(await times(30, () => blog.get("/blog/posts/nothing")))).toEqual({ 404: 10, 429: 20 });
    service.services.pass(60_000);
    expect(statuses(await times(60, () => blog.get("/blog/posts/nothing")))).toEqual({ 404: 50, 429: 10 });
  });

  test("a 429 RATE_LIMITED adds Retry-After, after which a request is served; CORS headers stand on it too", async () => {
    const blog = await service.blog({ plan: "free" });
    await times(50, () => blog.get("/blog/posts/nothing"));
    const refused = await blog.get("/blog/posts", { headers: { Origin: "https://example.com" } });
    expect([refused.status, refused.code, refused.headers["access-control-allow-origin"]]).toEqual([429, "RATE_LIMITED", "*"]);
    expect(rateLimit(refused.headers["ratelimit"])).toMatchObject({ "burst.r": 0, "burst.t": 5 });
    service.services.pass(Number(refused.headers["retry-after"]) * 1_000);
    expect((await blog.get("/blog/posts")).status).toBe(200);
  });

  test("is one for all keys of the website, and another for another website", async () => {
    const blog = await service.blog({ plan: "free" });
    const second = await blog.makeKey();
    expect(statuses(await times(60, (n) => blog.get("/blog/posts/nothing", { key: n % 2 ? blog.key : second })))).toEqual({
      404: 50,
      429: 10,
    });
    const other = await service.blog({ plan: "free" });
    expect((await other.get("/blog/posts")).status).toBe(200);
  });

  test("each client address has a bucket of its own per key at half the plan's rate; IPv6 by /64", async () => {
    const blog = await service.blog({ plan: "team" });
    for (const from of ["203.0.113.1", "2001:db8:1:2::1"]) {
      await times(500, () => blog.get("/blog/posts/nothing", { from }));
      service.services.pass(1_000);
      expect(statuses(await times(80, () => blog.get("/blog/posts/nothing", { from })))).toEqual({ 404: 50, 429: 30 });
      service.services.pass(60_000);
    }
    await times(500, () => blog.get("/blog/posts/nothing", { from: "2001:db8:1:2::1" }));
    expect((await blog.get("/blog/posts/nothing", { from: "2001:db8:1:2:ffff::2" })).status).toBe(429);
    service.services.pass(1_000);
    expect((await blog.get("/blog/posts/nothing", { from: "2001:db8:1:3::1" })).status).toBe(404);
  });

  test("a burst with a good key that this node has not seen yet is judged by the key's plan, not as guesses", async () => {
    const blog = await service.blog({ plan: "team" });
    const from = "203.0.113.77";
    expect(statuses(await times(200, () => blog.get("/blog/posts/nothing", { from })))).toEqual({ 404: 200 });
  });

  test("whoever sends no key keeps no good key of the same address out, not even one that this node has not seen yet", async () => {
    const from = "203.0.113.78";
    await times(60, () => service.ask("/blog/posts", { from }));
    expect((await service.ask("/blog/posts", { from })).status).toBe(429);
    const blog = await service.blog({ plan: "team" });
    expect((await blog.get("/blog/posts", { from })).status).toBe(200);
  });

  test("without a valid key the policy is one per address: guesses are limited before they cost a look-up", async () => {
    const from = "198.51.100.7";
    const guesses = await times(60, (n) => service.ask("/blog/posts", { from, ...(n % 2 ? { key: `stet_${"x".repeat(40)}` } : {}) }));
    expect(statuses(guesses)).toEqual({ 401: 50, 429: 10 });
    expect(guesses[0]!.headers["ratelimit-policy"]).toBe('"address";q=50;w=5');
    const blog = await service.blog();
    expect((await blog.get("/blog/posts", { from: "198.51.100.8" })).status).toBe(200);
  });
});

describe("headers on every response of /v1 (errors too)", () => {
  test("RateLimit-Policy and RateLimit in the form of IETF draft 10", async () => {
    const blog = await service.blog({ plan: "free" });
    service.services.now = new Date("2026-11-17T00:00:00.000Z");
    const first = await blog.get("/blog/posts");
    expect(first.headers["ratelimit-policy"]).toBe(`"burst";q=50;w=5, "month";q=${MONTH.free};w=2592000`);
    expect(first.headers["ratelimit"]).toBe('"burst";r=49;t=1, "month";r=19;t=1209600');
    // Counted before it is said, so a client can slow down before refusal.
    expect(rateLimit((await blog.get("/blog/posts?limit=0")).headers["ratelimit"])).toMatchObject({ "burst.r": 48, "month.r": 19 });
  });
});

describe("the month's requests", () => {
  let month = 1;
  /** A month that no test used before. */
  const newMonth = () => (service.services.now = new Date(Date.UTC(2027, month++, 10)));

  test("monthly requests are counted against the quota, exact under concurrency; spent: 429 QUOTA_EXCEEDED until the 1st (UTC)", async () => {
    newMonth();
    const blog = await service.blog({ plan: "free" });
    expect(statuses(await times(45, () => blog.get("/blog/posts")))).toEqual({ 200: MONTH.free, 429: 25 });
    const refused = await blog.get("/blog/tags");
    expect([refused.status, refused.code]).toEqual([429, "QUOTA_EXCEEDED"]);
    expect(rateLimit(refused.headers["ratelimit"])["month.r"]).toBe(0);
    const { now } = service.services;
    const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
    expect(Number(refused.headers["retry-after"])).toBe((next - now.getTime()) / 1_000);
    service.services.now = new Date(next - 1);
    expect((await blog.get("/blog/posts")).code).toBe("QUOTA_EXCEEDED");
    service.services.now = new Date(next);
    const renewed = await blog.get("/blog/posts");
    expect([renewed.status, rateLimit(renewed.headers["ratelimit"])["month.r"]]).toEqual([200, MONTH.free - 1]);
  });

  test("counted: answers 200. Not counted: 304 (served even when the month is spent), 4xx, preflights", async () => {
    newMonth();
    const blog = await service.blog({ plan: "free" });
    const left = async () => rateLimit((await blog.get("/blog/posts?limit=0")).headers["ratelimit"])["month.r"];
    const { etag } = (await blog.get("/blog/posts")).headers;
    await blog.get("/blog/posts", { method: "HEAD" });
    expect(await left()).toBe(MONTH.free - 2);
    const unchanged = () => blog.get("/blog/posts", { headers: { "If-None-Match": etag! } });
    expect((await unchanged()).status).toBe(304);
    await blog.get("/blog/posts/nothing");
    await blog.get("/blog/posts", { method: "OPTIONS" });
    await blog.get("/blog/posts", { method: "POST" });
    await blog.get("/blog/posts", { headers: { Authorization: "Bearer no" }, key: null });
    expect(await left()).toBe(MONTH.free - 2);
    service.services.pass(5_000);
    await times(MONTH.free, () => blog.get("/blog/posts"));
    expect((await blog.get("/blog/posts")).code).toBe("QUOTA_EXCEEDED");
    expect((await unchanged()).status).toBe(304);
    await blog.write.post("Changed");
    expect((await unchanged()).code).toBe("QUOTA_EXCEEDED");
  });

  test("paid plans are served to 120 %, and not one more", async () => {
    newMonth();
    const blog = await service.blog({ plan: "starter" });
    expect(statuses(await times(90, () => blog.get("/blog/posts")))).toEqual({ 200: 60, 429: 30 });
  });

  test("is of the workspace: all its websites together", async () => {
    newMonth();
    const blog = await service.blog({ plan: "team" });
    const { actor, workspace } = blog.tenant;
    const website = await service.services.call(registry.create_website, actor, { workspaceId: workspace.id, name: "Second" });
    const { key } = await service.services.call(registry.create_key, actor, { websiteId: website.id, name: "Second" });
    await blog.get("/blog/posts");
    expect(rateLimit((await service.ask("/blog/posts", { key })).headers["ratelimit"])["month.r"]).toBe(1_000_000 - 2);
  });

  test("a key can carry a monthly cap of its own", async () => {
    newMonth();
    const blog = await service.blog({ plan: "starter" });
    const capped = await blog.makeKey({ monthlyCap: 7 });
    expect(statuses(await times(12, () => blog.get("/blog/posts", { key: capped })))).toEqual({ 200: 7, 429: 5 });
    expect((await blog.get("/blog/posts", { key: capped })).headers["ratelimit-policy"]).toContain('"month";q=7;');
    expect((await blog.get("/blog/posts")).status).toBe(200);
  });

  test("a larger plan takes effect on the next request", async () => {
    newMonth();
    const blog = await service.blog({ plan: "free" });
    await times(MONTH.free, () => blog.get("/blog/posts"));
    expect((await blog.get("/blog/posts")).code).toBe("QUOTA_EXCEEDED");
    await service.services.call(registry.change_plan, blog.tenant.actor, { workspaceId: blog.tenant.workspace.id, plan: "starter" });
    expect((await blog.get("/blog/posts")).status).toBe(200);
  });

  test("counters survive a restart", async () => {
    newMonth();
    const blog = await service.blog({ plan: "free" });
    const first = await startNode(service.services);
    await times(13, () => first.ask("/blog/posts", { key: blog.key }));
    await first.stop();
    expect(await spent(blog)).toBe(13);
    const second = await startNode(service.services);
    expect(statuses(await times(15, () => second.ask("/blog/posts", { key: blog.key })))).toEqual({ 200: MONTH.free - 13, 429: 8 });
    await second.stop();
    expect(await spent(blog)).toBe(MONTH.free);
  });

  test("usage is counted per website, day, route and status class", async () => {
    newMonth();
    const blog = await service.blog();
    const node = await startNode(service.services);
    const ask = (path: string) => node.ask(path, { key: blog.key });
    await times(3, () => ask("/blog/posts"));
    await times(2, () => ask("/blog/posts/nothing"));
    await ask("/blog/tags");
    service.services.pass(86_400_000);
    await ask("/blog/posts");
    await node.stop();
    const { rows } = await service.services.database.query<Record<string, unknown>>({
      text: "SELECT to_char(day, 'DD') AS day, route, status_class, requests::int FROM website_usage WHERE website_id = $1 ORDER BY 1, 2, 3",
      values: [blog.tenant.website.id],
    });
    expect(rows.map((row) => Object.values(row))).toEqual([
      ["10", "/blog/posts", 2, 3],
      ["10", "/blog/posts/{slugOrId}", 4, 2],
      ["10", "/blog/tags", 2, 1],
      ["11", "/blog/posts", 2, 1],
    ]);
  });

  test("the owner is warned at 75, 90 and 100 %, once each", async () => {
    newMonth();
    const blog = await service.blog({ plan: "free" });
    const node = await startNode(service.services);
    await times(45, () => node.ask("/blog/posts", { key: blog.key }));
    await node.stop();
    const { actor, workspace } = blog.tenant;
    const log = await service.services.call(registry.list_activity, actor, { workspaceId: workspace.id });
    const warnings = log.items.filter((entry) => entry.action === "quota_warning");
    expect(warnings.map((entry) => entry.details["percent"]).toSorted()).toEqual([100, 75, 90]);
  });
});
