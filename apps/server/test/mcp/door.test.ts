import { describe, expect, test } from "vitest";
import { registry } from "#operations/registry";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode } from "#test/dashboard-node";
import { connect } from "#test/oauth/sign-in";

const RATE = { ratePerSecond: 1, burst: 20 };
const PING = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });

const node = closedAtEnd(await openDashboardNode({ pages: false, connectionRate: RATE }));
const tenant = await node.makeTenant();
const tool = await connect(node, tenant.owner);

function ask(headers: Record<string, string> = {}, init: RequestInit = {}): Promise<Response> {
  const common = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
  return fetch(`${node.url}/mcp`, { method: "POST", body: PING, headers: { ...common, ...headers }, ...init });
}
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

describe("who comes in", () => {
  test("without a token: 401, and where to sign in", async () => {
    const response = await ask();
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toMatch(
      new RegExp(
        `^Bearer error="invalid_token", .*, scope="mcp", resource_metadata="${node.url}/\\.well-known/oauth-protected-resource/mcp"$`,
      ),
    );
    expect(response.headers.get("x-request-id")).toBeTruthy();
  });

  test("a project key opens nothing", async () => {
    const { key } = await node.call(registry.create_key, tenant.actor, { websiteId: tenant.website.id, name: "Key" });
    expect((await ask(bearer(key))).status).toBe(401);
  });

  test("a session of the dashboard opens nothing", async () => {
    expect((await ask({ Cookie: await node.signIn(tenant.owner), Origin: node.url })).status).toBe(401);
  });

  test("a refresh token, a token in the address and a made-up one open nothing", async () => {
    expect((await ask(bearer(tool.refreshToken))).status).toBe(401);
    expect((await ask(bearer("A".repeat(43)))).status).toBe(401);
    const inAddress = await fetch(`${node.url}/mcp?access_token=${tool.accessToken}`, { method: "POST", body: PING });
    expect(inAddress.status).toBe(401);
  });

  test("a token of a connection opens no other door", async () => {
    const read = await fetch(`${node.url}/v1/blog/posts`, { headers: bearer(tool.accessToken) });
    expect(read.status).toBe(401);
    const rpc = await node.fetch("/api/rpc/get_account", { method: "POST", headers: bearer(tool.accessToken), body: "{}" });
    expect(rpc.status).not.toBe(200);
  });

  test("an expired token is refused as an unknown one is", async () => {
    const short = await connect(node, tenant.owner);
    expect((await ask(bearer(short.accessToken))).status).toBe(200);
    await node.services.database.query({
      text: "UPDATE oauth_records SET expires_at = 1 WHERE model = 'AccessToken' AND grant_id = $1",
      values: [short.connection.id],
    });
    const response = await ask(bearer(short.accessToken));
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ error: "invalid_token" });
  });
});

describe("how", () => {
  test.each(["GET", "DELETE", "PUT", "PATCH"])("%s is not taken: 405", async (method) => {
    const response = await fetch(`${node.url}/mcp`, { method, headers: bearer(tool.accessToken) });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("POST, OPTIONS");
  });

  test("a preflight is answered without a token", async () => {
    const response = await fetch(`${node.url}/mcp`, { method: "OPTIONS", headers: { Origin: "http://localhost:6274" } });
    expect(response.status).toBe(204);
    expect(response.headers.get("access-control-allow-origin")).toBe("http://localhost:6274");
    for (const name of ["authorization", "content-type", "accept", "mcp-protocol-version", "mcp-method", "mcp-name", "last-event-id"])
      expect(response.headers.get("access-control-allow-headers")).toContain(name);
  });

  test("a browser may read where to sign in", async () => {
    const response = await ask({ Origin: "http://127.0.0.1:8080" });
    expect(response.status).toBe(401);
    expect(response.headers.get("access-control-allow-origin")).toBe("http://127.0.0.1:8080");
    expect(response.headers.get("access-control-expose-headers")).toMatch(/WWW-Authenticate.*RateLimit/);
  });

  test.each(["https://evil.example", "null", "http://localhost.evil.example", "http://127.0.0.1.nip.io"])(
    "the origin %s is refused, with a token too",
    async (origin) => {
      const response = await ask({ ...bearer(tool.accessToken), Origin: origin });
      expect(response.status).toBe(403);
      expect(response.headers.get("access-control-allow-origin")).toBeNull();
    },
  );

  test("a body over 4 MiB is not read", async () => {
    const response = await ask(bearer(tool.accessToken), { body: "x".repeat(4 * 1024 * 1024 + 1) });
    expect(response.status).toBe(413);
  });

  test.each([
    ["no JSON", "{", 400],
    ["a batch", `[${PING},${PING}]`, 400],
    ["a batch behind a byte order mark", `\uFEFF[${PING},${PING}]`, 400],
    ["nothing", "", 400],
  ])("%s is refused in words of the protocol", async (_, body, status) => {
    const response = await ask(bearer(tool.accessToken), { body });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ jsonrpc: "2.0", error: { code: expect.any(Number) as number } });
  });

  test("below /mcp there is nothing", async () => {
    expect((await fetch(`${node.url}/mcp/more`, { method: "POST" })).status).toBe(404);
  });
});

test("a connection has a bucket of its own, and says how full it is", async () => {
  const busy = await connect(node, tenant.owner);
  const first = await ask(bearer(busy.accessToken));
  expect(first.headers.get("ratelimit-policy")).toBe('"connection";q=20;w=20');
  expect(first.headers.get("ratelimit")).toBe('"connection";r=19;t=1');
  const answers = await Promise.all(Array.from({ length: 30 }, () => ask(bearer(busy.accessToken))));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThanOrEqual(8);
  expect(Number(refused[0]!.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  expect(await refused[0]!.json()).toMatchObject({ code: "RATE_LIMITED" });
  // Another connection of the same person is not held up.
  expect((await ask(bearer((await connect(node, tenant.owner)).accessToken))).status).toBe(200);
});

test("strangers who use up what their address may try keep no good token out, known here or new", async () => {
  const [known, unseen] = [await connect(node, tenant.owner), await connect(node, tenant.owner)];
  expect((await ask(bearer(known.accessToken))).status).toBe(200);
  const junk = (count: number) => Promise.all(Array.from({ length: count }, (_, n) => ask(bearer(`${n}${"A".repeat(42)}`.slice(0, 43)))));
  const statuses = (await junk(80)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  // A token comes back every 200 ms, so a busy machine may have to be asked more than once.
  const askAfterJunk = async () => (await Promise.all([...Array.from({ length: 20 }, () => ask()), ask()])).at(-1)!.status;
  await expect.poll(askAfterJunk).toBe(429);
  // While they go on, at once and one after another.
  const [, ...good] = await Promise.all([junk(60), ...[known, unseen, known, unseen].map((one) => ask(bearer(one.accessToken)))]);
  expect(good.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});
