import { once } from "node:events";
import { type IncomingMessage, request as httpRequest } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openDatabase } from "#adapters/postgres/database";
import { openPostgresReaders } from "#adapters/postgres/readers/open";
import { createCollector, type Collector } from "#delivery/collect";
import { DAY, HOUR, MINUTE } from "#domain/time";
import { registry } from "#operations/registry";
import { forgetVisitors } from "#worker/forget-readers";
import { closedAtEnd } from "#test/closed-at-end";
import { startDelivery } from "#test/delivery-node";
import { expectMatchesOpenapi } from "#test/openapi";
import { openTestServices, type Tenant } from "#test/services";
import { collectRoute } from "./collect.ts";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0";
const SAFARI = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15";

const services = closedAtEnd(await openTestServices());
let tenant: Tenant;
let post: { id: string; slug: string };

/** A node: its own connections, its own collector, its own port. */
interface Node {
  readonly port: number;
  readonly collector: Collector;
  readonly lines: string[];
  stop(): Promise<void>;
}
const nodes: Node[] = [];
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.stop()));
});

async function startNode(): Promise<Node> {
  const { connectionString } = services.database.pool.options;
  const database = openDatabase({ url: connectionString!, connections: 3 });
  const troubles: string[] = [];
  const collector = createCollector(
    { ...services, readers: openPostgresReaders(database), publicUrl: services.settings.publicUrl, clock: () => services.now },
    { onTrouble: (message, error) => void troubles.push(`${message} ${String(error)}`), everyMillis: 3_600_000 },
  );
  const delivery = await startDelivery(services, { readRoutes: [], publicRoutes: [collectRoute(collector)] });
  const node: Node = {
    port: delivery.port,
    collector,
    get lines() {
      return [...troubles, ...delivery.lines.map((line) => JSON.stringify(line))];
    },
    async stop() {
      await delivery.stop();
      await collector.close();
      await database.close();
    },
  };
  nodes.push(node);
  return node;
}

interface Sent {
  readonly method?: string;
  readonly query?: string;
  readonly body?: string | Buffer;
  readonly headers?: Record<string, string>;
  /** The last number of the address it comes from: 127.0.0.N. */
  readonly from?: number;
}

async function send(node: Node, { method = "POST", query = "", body = "", headers = {}, from = 1 }: Sent) {
  const sent = httpRequest({
    host: "127.0.0.1",
    port: node.port,
    path: `/v1/collect${query}`,
    method,
    localAddress: `127.0.0.${from}`,
    headers: { "Content-Type": "application/json", "User-Agent": FIREFOX, ...headers },
  });
  sent.end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const answer = { status: response.statusCode!, headers: response.headers, body: await text(response) };
  const json: unknown = answer.body === "" ? undefined : JSON.parse(answer.body);
  expectMatchesOpenapi(method, "/collect", answer.status, json, answer.headers["content-type"]);
  return answer;
}

const view = (more: object = {}) => JSON.stringify({ website: tenant.website.id, post: post.slug, ...more });

async function counted(): Promise<number> {
  for (const node of nodes) await node.collector.flush();
  return (await services.readers.ofPost(tenant.website.id, post.id as never, [null]))[0]!;
}

beforeEach(async () => {
  tenant = await services.makeTenant();
  post = await publish("Hello readers");
});

async function publish(title: string): Promise<{ id: string; slug: string; version: number }> {
  const websiteId = tenant.website.id;
  const draft = await services.call(registry.create_post, tenant.actor, { websiteId, title, body: "Words." });
  const live = await services.call(registry.publish_post, tenant.actor, { websiteId, postId: draft.id, expectedVersion: draft.version });
  return { id: live.id, slug: live.working.slug, version: live.version };
}

describe("counting", () => {
  test("one visitor is counted once per post in 30 minutes; other people, posts and half hours count", async () => {
    const node = await startNode();
    for (let i = 0; i < 5; i++) expect((await send(node, { body: view() })).status).toBe(204);
    expect(await counted()).toBe(1);
    await send(node, { body: view(), from: 2 });
    await send(node, { body: view(), headers: { "User-Agent": SAFARI } });
    expect(await counted()).toBe(3);
    services.pass(30 * MINUTE - 1);
    await send(node, { body: view() });
    expect(await counted()).toBe(3);
    services.pass(1);
    await send(node, { body: view() });
    expect(await counted()).toBe(4);
  });

  test("two nodes that hear of one visitor at the same moment count one view", async () => {
    const [first, second] = [await startNode(), await startNode()];
    await Promise.all(Array.from({ length: 20 }, (_, i) => send(i % 2 ? first : second, { body: view(), from: 1 + (i % 4) })));
    await Promise.all([first.collector.flush(), second.collector.flush()]);
    expect(await counted()).toBe(4);
  });

  test("numbers survive a restart, and what was collected is written when the service stops", async () => {
    const node = await startNode();
    await send(node, { body: view() });
    await nodes.pop()!.stop();
    expect(await counted()).toBe(1);
    const again = await startNode();
    await send(again, { body: view() });
    await send(again, { body: view(), from: 3 });
    expect(await counted()).toBe(2);
  });

  test("a post is found by its id, its slug and the slugs it had", async () => {
    const node = await startNode();
    await send(node, { body: view({ post: post.id }), from: 1 });
    await send(node, { body: view(), from: 2 });
    const websiteId = tenant.website.id;
    const found = await services.call(registry.get_post, tenant.actor, { websiteId, postId: post.id });
    const edited = await services.call(registry.edit_post, tenant.actor, {
      websiteId,
      postId: post.id,
      expectedVersion: found.version,
      slug: "new-name",
    });
    await services.call(registry.update_live_post, tenant.actor, { websiteId, postId: post.id, expectedVersion: edited.version });
    await send(node, { body: view(), from: 3 });
    await send(node, { body: view({ post: "new-name" }), from: 4 });
    expect(await counted()).toBe(4);
  });

  test("text/plain, as beacons send it, counts like JSON", async () => {
    const node = await startNode();
    const sent = await send(node, { body: view(), headers: { "Content-Type": "text/plain;charset=UTF-8" } });
    expect(sent.status).toBe(204);
    expect(await counted()).toBe(1);
  });

  test("what cannot be written is kept and written when the database answers again", async () => {
    const node = await startNode();
    await send(node, { body: view() });
    await services.database.query({ text: "ALTER TABLE reader_visitors RENAME TO away" });
    try {
      await node.collector.flush();
      await send(node, { body: view(), from: 2 });
      await node.collector.flush();
      expect(node.lines.filter((line) => line.includes("tried again"))).toHaveLength(1);
    } finally {
      await services.database.query({ text: "ALTER TABLE away RENAME TO reader_visitors" });
    }
    expect(await counted()).toBe(2);
  });
});

describe("not counted", () => {
  test.each<[string, Record<string, string>]>([
    ["Do Not Track", { DNT: "1" }],
    ["Global Privacy Control", { "Sec-GPC": "1" }],
    ["a search engine", { "User-Agent": "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)" }],
    ["a crawler of a language model", { "User-Agent": "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2)" }],
    [
      "a browser without a person",
      { "User-Agent": "Mozilla/5.0 (X11) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/130.0.0.0 Safari/537.36" },
    ],
    ["a script", { "User-Agent": "curl/8.5.0" }],
    ["no user agent", { "User-Agent": "" }],
    ["an endless user agent", { "User-Agent": FIREFOX.repeat(20) }],
    ["a page fetched in advance", { "Sec-Purpose": "prefetch;prerender" }],
  ])("%s: 204, and nothing is kept of it", async (_what, headers) => {
    const node = await startNode();
    expect(await send(node, { body: view(), headers })).toMatchObject({ status: 204, body: "" });
    expect(await counted()).toBe(0);
    const { rows } = await services.database.query<{ kept: number }>({
      text: "SELECT count(*) AS kept FROM reader_visitors WHERE website_id = $1",
      values: [tenant.website.id],
    });
    expect(rows[0]!.kept).toBe(0);
  });

  test("DNT: 0 is no wish", async () => {
    const node = await startNode();
    await send(node, { body: view(), headers: { DNT: "0" } });
    expect(await counted()).toBe(1);
  });

  test("drafts, posts of another website and unknown names: 204, without a hint", async () => {
    const node = await startNode();
    const mine = tenant;
    const draft = await services.call(registry.create_post, tenant.actor, { websiteId: tenant.website.id, title: "Not yet", body: "" });
    tenant = await services.makeTenant();
    const foreign = await publish("Of another");
    tenant = mine;
    const answers = [];
    for (const named of [draft.id, "not-yet", foreign.id, foreign.slug, "nothing", "post_01h455vb4pex5vsknk084sn02q"]) {
      answers.push(await send(node, { body: view({ post: named }) }));
    }
    answers.push(await send(node, { body: view({ website: "site_01h455vb4pex5vsknk084sn02q" }) }));
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 204));
    await node.collector.flush();
    expect(await services.readers.mostRead(mine.website.id, null, null, 10)).toEqual([]);
  });

  test("an unpublished post counts no more, a published one from the next request on", async () => {
    const node = await startNode();
    await send(node, { body: view() });
    const websiteId = tenant.website.id;
    const { version } = await services.call(registry.get_post, tenant.actor, { websiteId, postId: post.id });
    const hidden = await services.call(registry.unpublish_post, tenant.actor, { websiteId, postId: post.id, expectedVersion: version });
    await send(node, { body: view(), from: 2 });
    expect(await counted()).toBe(1);
    await services.call(registry.publish_post, tenant.actor, { websiteId, postId: post.id, expectedVersion: hidden.version });
    await send(node, { body: view(), from: 3 });
    expect(await counted()).toBe(2);
  });
});

describe("origins", () => {
  const settings = async (publicUrl: string) => {
    const { version } = await services.call(registry.get_website, tenant.actor, { websiteId: tenant.website.id });
    await services.call(registry.update_website, tenant.actor, {
      websiteId: tenant.website.id,
      expectedVersion: version,
      settings: { publicUrl },
    });
  };
  const from = async (origin: string) => send(await startNode(), { body: view(), headers: { Origin: origin } });

  test("with a public address, pages of its host count, with and without www; others are refused", async () => {
    await settings("https://www.example.com/blog");
    for (const origin of ["https://www.example.com", "https://example.com", "http://example.com"]) {
      const sent = await from(origin);
      expect(sent.status, origin).toBe(204);
      expect(sent.headers["access-control-allow-origin"]).toBe(origin);
    }
    for (const origin of [
      "https://evil.example",
      "https://example.com.evil.example",
      "https://a.example.com",
      "https://example.com:8443",
      "null",
    ]) {
      const sent = await from(origin);
      expect(sent.status, origin).toBe(403);
      expect(JSON.parse(sent.body)).toMatchObject({ code: "ORIGIN_NOT_ALLOWED" });
    }
    expect(await counted()).toBe(1);
  });

  test("origins that a live key allows count as well; without either any origin does", async () => {
    expect((await from("https://anything.example")).status).toBe(204);
    await settings("https://example.com");
    await services.call(registry.create_key, tenant.actor, { websiteId: tenant.website.id, name: "Shop", origins: ["*.example.org"] });
    expect((await from("https://shop.example.org")).status).toBe(204);
    expect((await from("https://example.com")).status).toBe(204);
    expect((await from("https://anything.example")).status).toBe(403);
  });

  test("a preflight is answered for any origin, so that JSON can be sent from a page", async () => {
    const node = await startNode();
    const headers = {
      Origin: "https://blog.example",
      "Access-Control-Request-Method": "POST",
      "Access-Control-Request-Headers": "content-type",
    };
    const sent = await send(node, { method: "OPTIONS", headers });
    expect(sent.status).toBe(204);
    expect(sent.headers).toMatchObject({
      "access-control-allow-origin": "https://blog.example",
      "access-control-allow-credentials": "true",
      "access-control-allow-methods": "POST",
      "access-control-allow-headers": expect.stringContaining("Content-Type"),
      "access-control-max-age": "86400",
    });
  });
});

describe("privacy", () => {
  test("neither the database nor the log holds an address, a user agent or a referrer's path", async () => {
    const node = await startNode();
    await send(node, { body: view({ referrer: "https://www.News.example/private/path?token=abc" }), from: 77 });
    await send(node, { body: view({ referrer: "http://192.0.2.9/page" }), from: 78 });
    expect(await counted()).toBe(2);
    const { rows: tables } = await services.database.query<{ name: string }>({
      text: "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
    });
    let everything = node.lines.join("\n");
    for (const { name } of tables) everything += JSON.stringify((await services.database.query({ text: `SELECT * FROM "${name}"` })).rows);
    expect(everything).toContain("news.example");
    for (const secret of ["127.0.0.77", "127.0.0.78", "192.0.2.9", "Firefox", "private/path", "token=abc"])
      expect(everything).not.toContain(secret);
    expect(await services.readers.referrers(tenant.website.id, "2000-01-01", 10)).toEqual([{ referrer: "news.example", views: 1 }]);
  });

  test("links from the blog itself are no referrer", async () => {
    const node = await startNode();
    const { version } = await services.call(registry.get_website, tenant.actor, { websiteId: tenant.website.id });
    await services.call(registry.update_website, tenant.actor, {
      websiteId: tenant.website.id,
      expectedVersion: version,
      settings: { publicUrl: "https://example.com" },
    });
    await send(node, { body: view({ referrer: "https://www.example.com/other-post" }) });
    expect(await counted()).toBe(1);
    expect(await services.readers.referrers(tenant.website.id, "2000-01-01", 10)).toEqual([]);
  });

  test("when its day is over the salt is gone, and the same visitor has a hash that nothing ties to yesterday's", async () => {
    const hashes = async () =>
      (
        await services.database.query<{ visitor: string }>({
          text: "SELECT visitor FROM reader_visitors WHERE website_id = $1 ORDER BY counted_at",
          values: [tenant.website.id],
        })
      ).rows.map((row) => row.visitor);
    const node = await startNode();
    const day = services.now.toISOString().slice(0, 10);
    await send(node, { body: view() });
    expect(await counted()).toBe(1);
    const [yesterdays] = await hashes();
    services.pass(DAY);
    while ((await forgetVisitors(services)) > 0);
    expect(await services.readers.saltLeft(day)).toBeNull();
    expect(await hashes()).toEqual([]);
    await send(node, { body: view() });
    expect(await counted()).toBe(2);
    expect(await hashes()).toHaveLength(1);
    expect(await hashes()).not.toContain(yesterdays);
  });

  test("whoever reads over midnight is still one visitor, and the old salt is kept no longer than that needs", async () => {
    const node = await startNode();
    const midnight = Math.ceil(services.now.getTime() / DAY) * DAY;
    services.now = new Date(midnight - 10 * MINUTE);
    await send(node, { body: view() });
    services.now = new Date(midnight + 10 * MINUTE);
    await forgetVisitors(services);
    await send(node, { body: view() });
    expect(await counted()).toBe(1);
    services.now = new Date(midnight + 20 * MINUTE);
    await send(node, { body: view() });
    expect(await counted()).toBe(2);
    services.now = new Date(midnight + 30 * MINUTE);
    while ((await forgetVisitors(services)) > 0);
    expect(await services.readers.saltLeft(new Date(midnight - 1).toISOString().slice(0, 10))).toBeNull();
    services.now = new Date(midnight + 49 * MINUTE);
    await send(node, { body: view() });
    expect(await counted()).toBe(2);
    services.now = new Date(midnight + HOUR);
    await send(node, { body: view() });
    expect(await counted()).toBe(3);
  });

  test("one reader of two websites has two hashes that nothing connects", async () => {
    const node = await startNode();
    await send(node, { body: view() });
    const first = tenant;
    tenant = await services.makeTenant();
    post = await publish("Elsewhere");
    await send(node, { body: view() });
    expect(await counted()).toBe(1);
    const { rows } = await services.database.query<{ visitor: string }>({
      text: "SELECT DISTINCT visitor FROM reader_visitors WHERE website_id = ANY ($1)",
      values: [[first.website.id, tenant.website.id]],
    });
    expect(rows).toHaveLength(2);
  });
});

describe("limits", () => {
  test("an address has a bucket of its own: 50 at once, ten a second, refused with 429 and when to try again", async () => {
    const node = await startNode();
    const first = await send(node, { body: view() });
    expect(first.headers).toMatchObject({ "ratelimit-policy": '"address";q=50;w=5', ratelimit: '"address";r=49;t=1' });
    const answers = await Promise.all(Array.from({ length: 54 }, () => send(node, { body: view() })));
    expect(answers.filter((answer) => answer.status === 204)).toHaveLength(49);
    const refused = answers.find((answer) => answer.status === 429)!;
    expect(JSON.parse(refused.body)).toMatchObject({ code: "RATE_LIMITED" });
    expect(refused.headers).toMatchObject({ "retry-after": "1", ratelimit: '"address";r=0;t=5', "access-control-allow-origin": "*" });
    expect((await send(node, { body: view(), from: 2 })).status).toBe(204);
    services.pass(100);
    expect((await send(node, { body: view() })).status).toBe(204);
    expect((await send(node, { body: view() })).status).toBe(429);
  });

  test("rate headers stand on refusals and preflights too", async () => {
    const node = await startNode();
    for (const sent of [{ body: "{" }, { method: "PUT" }, { method: "OPTIONS" }, { body: "x".repeat(5_000) }]) {
      const answer = await send(node, sent);
      expect(answer.headers["ratelimit"]).toMatch(/^"address";r=\d+;t=\d+$/);
      expect(answer.headers["x-request-id"]).toMatch(/^req_/);
    }
  });
});

describe("hostile bodies", () => {
  test.each<[string, number, string, Sent]>([
    ["no JSON", 400, "MALFORMED_BODY", { body: "{" }],
    ["nothing", 400, "MALFORMED_BODY", { body: "" }],
    ["a list", 400, "MALFORMED_BODY", { body: "[]" }],
    ["null", 400, "MALFORMED_BODY", { body: "null" }],
    ["no post", 400, "MALFORMED_BODY", { body: '{"website":"site_01h455vb4pex5vsknk084sn02q"}' }],
    ["a key instead of a website", 400, "MALFORMED_BODY", { body: `{"website":"stet_${"a".repeat(40)}","post":"x"}` }],
    ["a post that is no name", 400, "MALFORMED_BODY", { body: '{"website":"site_01h455vb4pex5vsknk084sn02q","post":"../x"}' }],
    ["a NUL", 400, "MALFORMED_BODY", { body: '{"website":"site_01h455vb4pex5vsknk084sn02q","post":"a\\u0000"}' }],
    [
      "a referrer that is no text",
      400,
      "MALFORMED_BODY",
      { body: '{"website":"site_01h455vb4pex5vsknk084sn02q","post":"a","referrer":{}}' },
    ],
    ["bytes that are no UTF-8", 400, "MALFORMED_BODY", { body: Buffer.from([0x22, 0xff, 0x22]) }],
    ["more than 4 KB", 413, "PAYLOAD_TOO_LARGE", { body: `{"a":"${"x".repeat(4_096)}"}` }],
    ["more than 4 KB in chunks", 413, "PAYLOAD_TOO_LARGE", { body: "x".repeat(5_000), headers: { "Transfer-Encoding": "chunked" } }],
    ["a form", 415, "UNSUPPORTED_MEDIA_TYPE", { body: "a=b", headers: { "Content-Type": "application/x-www-form-urlencoded" } }],
    ["another charset", 415, "UNSUPPORTED_MEDIA_TYPE", { body: "{}", headers: { "Content-Type": "application/json; charset=latin1" } }],
    ["a compressed body", 415, "UNSUPPORTED_MEDIA_TYPE", { body: "{}", headers: { "Content-Encoding": "gzip" } }],
    ["a query", 400, "UNKNOWN_PARAMETER", { query: "?post=a", body: "{}" }],
    ["GET", 405, "METHOD_NOT_ALLOWED", { method: "GET" }],
    ["DELETE", 405, "METHOD_NOT_ALLOWED", { method: "DELETE" }],
  ])("%s: %i %s", async (_what, status, code, sent) => {
    const node = await startNode();
    const answer = await send(node, sent);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toMatchObject({ code, status });
    expect(answer.headers["content-type"]).toBe("application/problem+json");
  });

  test("fields of a newer version are ignored, and a referrer that is no address too", async () => {
    const node = await startNode();
    expect((await send(node, { body: view({ referrer: "javascript:alert(1)", scroll: 0.5 }) })).status).toBe(204);
    expect(await counted()).toBe(1);
    expect(await services.readers.referrers(tenant.website.id, "2000-01-01", 10)).toEqual([]);
  });

  test("a client that stops in the middle of its body harms nobody", async () => {
    const node = await startNode();
    const socket = connect(node.port, "127.0.0.1");
    socket.write("POST /v1/collect HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{");
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    expect((await send(node, { body: view() })).status).toBe(204);
  });
});
