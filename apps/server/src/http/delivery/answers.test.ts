import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { readRoute } from "#delivery/read-route";
import { fail, notFound } from "#domain/failure";
import { registry } from "#operations/registry";
import { closedAtEnd } from "#test/closed-at-end";
import { type DeliveryNode, makeKey, problemOf, startDelivery, testReadRoutes } from "#test/delivery-node";
import { openTestServices, type Tenant, type TestServices } from "#test/services";

const services = closedAtEnd(await openTestServices());
let tenant: Tenant;
let key: string;
beforeAll(async () => {
  tenant = await services.makeTenant();
  key = await makeKey(services, tenant);
});
const nodes: DeliveryNode[] = [];
afterEach(async () => {
  services.pass(60_000);
  await Promise.all(nodes.splice(0).map((node) => node.stop()));
});
async function start(options: Parameters<typeof startDelivery>[1] = {}): Promise<DeliveryNode> {
  const node = await startDelivery(services, options);
  nodes.push(node);
  return node;
}

/** Bytes as they come over the wire, not decompressed. */
async function fetchRaw(node: DeliveryNode, path: string, headers: Record<string, string> = {}, method = "GET") {
  const request = httpRequest(`${node.url}${path}`, { method, headers: { Authorization: `Bearer ${key}`, ...headers } }).end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}

async function publish(title: string): Promise<{ id: string; version: number }> {
  const input = { websiteId: tenant.website.id, title, body: "Text." };
  const post = await services.call(registry.create_post, tenant.actor, input);
  return services.call(registry.publish_post, tenant.actor, {
    websiteId: tenant.website.id,
    postId: post.id,
    expectedVersion: post.version,
  });
}

describe("encodings", () => {
  test("gzip and br for bodies over 1 KiB, by what the client prefers", async () => {
    const node = await start();
    const plain = await fetchRaw(node, "/blog/posts/long");
    expect(plain.body.length).toBeGreaterThan(1_024);
    const cases: [string, string | undefined][] = [
      ["br", "br"],
      ["gzip", "gzip"],
      ["gzip, deflate, br", "br"],
      ["gzip;q=1.0, br;q=0.5", "gzip"],
      ["br;q=0, gzip", "gzip"],
      ["*", "br"],
      ["*;q=0", undefined],
      ["identity", undefined],
      ["identity;q=1, br;q=0.1", undefined],
      ["deflate, zstd", undefined],
      ["x-gzip", "gzip"],
      ["GZIP", "gzip"],
      ["br;q=abc", undefined],
      [";;;,,,", undefined],
    ];
    for (const [accepted, expected] of cases) {
      const { headers, body } = await fetchRaw(node, "/blog/posts/long", { "Accept-Encoding": accepted });
      expect(headers["content-encoding"], accepted).toBe(expected);
      expect(headers["content-length"], accepted).toBe(String(body.length));
      const decoded = expected === "br" ? brotliDecompressSync(body) : expected === "gzip" ? gunzipSync(body) : body;
      expect(decoded.equals(plain.body), accepted).toBe(true);
    }
  });

  test("a small body goes out as it is", async () => {
    const node = await start();
    const { headers } = await fetchRaw(node, "/blog/posts/a", { "Accept-Encoding": "br, gzip" });
    expect(headers["content-encoding"]).toBeUndefined();
  });

  test("each is made once, also when many ask at once", async () => {
    const node = await start();
    const before = node.delivery.metrics().cache.bytes;
    const answers = await Promise.all(Array.from({ length: 20 }, () => fetchRaw(node, "/blog/posts/long", { "Accept-Encoding": "br" })));
    expect(new Set(answers.map((answer) => answer.body.toString("hex"))).size).toBe(1);
    const plain = await fetchRaw(node, "/blog/posts/long");
    const grown = node.delivery.metrics().cache.bytes - before;
    expect(grown).toBeLessThan(plain.body.length + answers[0]!.body.length + 1_000);
    expect(grown).toBeGreaterThan(plain.body.length + answers[0]!.body.length);
  });
});

describe("ETag", () => {
  test("is a hash of the answer, and Cache-Control and Vary stand beside it", async () => {
    const node = await start();
    const { headers } = await fetchRaw(node, "/blog/posts/a");
    expect(headers.etag).toMatch(/^"[\w-]{27}"$/);
    expect(headers["cache-control"]).toBe("private, no-cache");
    expect(headers.vary).toBe("Origin, Accept, Accept-Encoding");
    expect(headers["content-type"]).toBe("application/json");
    expect((await fetchRaw(node, "/blog/posts/b")).headers.etag).not.toBe(headers.etag);
    expect((await fetchRaw(await start(), "/blog/posts/a")).headers.etag).toBe(headers.etag);
  });

  test("If-None-Match works for every encoding, with lists, W/ and *", async () => {
    const node = await start();
    for (const encoding of ["identity", "gzip", "br"]) {
      const { headers } = await fetchRaw(node, "/blog/posts/long", { "Accept-Encoding": encoding });
      const etag = headers.etag!;
      // Other bytes, the same meaning: the tag of a compressed answer is a weak one.
      expect(etag.startsWith("W/")).toBe(encoding !== "identity");
      const opaque = etag.replace("W/", "");
      for (const given of [etag, opaque, `W/${opaque}`, `"other", ${etag}`, `W/"x" , ${opaque},"y"`, "*", " * "]) {
        for (const accepted of ["identity", "gzip", "br"]) {
          const answer = await fetchRaw(node, "/blog/posts/long", { "If-None-Match": given, "Accept-Encoding": accepted });
          expect(answer.status, `${given} ${accepted}`).toBe(304);
          expect(answer.body.length).toBe(0);
          expect(answer.headers.etag?.replace("W/", "")).toBe(opaque);
          expect(answer.headers["cache-control"]).toBe("private, no-cache");
        }
      }
      for (const other of ['"other"', `${opaque.slice(0, -2)}"`, `x${opaque}`, opaque.slice(1, -1), '""', "W/", ","]) {
        expect((await fetchRaw(node, "/blog/posts/long", { "If-None-Match": other })).status, other).toBe(200);
      }
    }
    services.pass(60_000);
    const head = await fetchRaw(node, "/blog/posts/long", { "If-None-Match": "*" }, "HEAD");
    expect(head.status).toBe(304);
  });

  test("publishing one post leaves the others' 304s alone", async () => {
    const node = await start();
    const { headers } = await fetchRaw(node, "/blog/posts/a");
    await publish("Another post");
    expect((await fetchRaw(node, "/blog/posts/a", { "If-None-Match": headers.etag! })).status).toBe(304);
  });

  test("Accept: text/markdown is another answer with another tag", async () => {
    const node = await start();
    const json = await fetchRaw(node, "/blog/posts/a");
    const markdown = await fetchRaw(node, "/blog/posts/a", { Accept: "text/markdown" });
    expect(markdown.headers["content-type"]).toBe("text/markdown; charset=utf-8");
    expect(markdown.headers.etag).not.toBe(json.headers.etag);
    for (const accept of ["text/markdown;q=0", "application/json, text/markdown;q=0.5", "*/*", "text/*", "nonsense"]) {
      expect((await fetchRaw(node, "/blog/posts/a", { Accept: accept })).headers["content-type"], accept).toBe("application/json");
    }
    expect((await fetchRaw(node, "/blog/posts/a", { Accept: "text/markdown, */*;q=0.1" })).headers["content-type"]).toMatch(/markdown/);
  });
});

describe("the cache", () => {
  test("a key, website and page seen before need no I/O", async () => {
    const calls: string[] = [];
    const readRoutes = testReadRoutes(calls);
    const node = await start({ readRoutes });
    await fetchRaw(node, "/blog/posts?limit=3&sort=x");
    services.database.pool.options.max = 10;
    const { query } = services.database;
    let queries = 0;
    const counting = services.database as { query: typeof query };
    counting.query = ((...args: Parameters<typeof query>) => {
      queries += 1;
      return query(...args);
    }) as typeof query;
    for (let i = 0; i < 5; i++) expect((await fetchRaw(node, "/blog/posts?sort=x&limit=3")).status).toBe(200);
    counting.query = query;
    expect(calls).toEqual(["list"]);
    expect(queries).toBe(0);
    expect(node.delivery.metrics().cache).toMatchObject({ hits: 5, misses: 1, responses: 1 });
  });

  test("many who ask for the same cold page cause one reading of it", async () => {
    const calls: string[] = [];
    const node = await start({ readRoutes: testReadRoutes(calls) });
    const answers = await Promise.all(Array.from({ length: 50 }, () => fetchRaw(node, "/blog/posts")));
    expect(answers.every((answer) => answer.status === 200)).toBe(true);
    expect(calls).toEqual(["list"]);
  });

  test("a published change is visible to the next request on the same node", async () => {
    const node = await start();
    for (let n = 0; n < 5; n++) {
      await publish(`Fresh ${n}`);
      const { titles } = JSON.parse((await fetchRaw(node, "/blog/posts?limit=1")).body.toString()) as { titles: string[] };
      expect(titles).toEqual([`Fresh ${n}`]);
      services.pass(1_000);
    }
  });

  test("an answer made from older content is never kept under a newer version", async () => {
    let release = (): void => {};
    let started = (): void => {};
    let isSlow = true;
    const slow = readRoute({
      path: "/slow",
      query: {},
      cached: true,
      async run({ website, content }) {
        const { rows } = await content.posts.listLive(website.id, { sort: "-publishedAt", after: null, limit: 1 });
        if (isSlow) {
          started();
          await new Promise<void>((resolve) => (release = resolve));
        }
        return { kind: "json", value: rows[0]?.content.title ?? null };
      },
    });
    const node = await start({ readRoutes: [slow] });
    await publish("Old");
    services.pass(1_000);
    const reading = new Promise<void>((resolve) => (started = resolve));
    const early = fetchRaw(node, "/slow");
    await reading;
    await publish("New");
    isSlow = false;
    // Asked after the change: it must not wait for, nor be given, what was read before it.
    expect((await fetchRaw(node, "/slow")).body.toString()).toBe('"New"');
    release();
    expect((await early).body.toString()).toBe('"Old"');
    expect((await fetchRaw(node, "/slow")).body.toString()).toBe('"New"');
  });

  test("a change of the website's settings is seen at once", async () => {
    const title = readRoute({
      path: "/title",
      query: {},
      cached: true,
      run: ({ website }) => Promise.resolve({ kind: "json", value: website.settings.title }),
    });
    const node = await start({ readRoutes: [title] });
    await fetchRaw(node, "/title");
    const website = (await services.platform.websites.get(tenant.website.id))!;
    await services.platform.websites.save({
      ...website,
      settings: { ...website.settings, title: "Renamed" },
      version: website.version + 1,
    });
    await services.signals.tellHere({ topic: "access", id: website.id });
    expect((await fetchRaw(node, "/title")).body.toString()).toBe('"Renamed"');
  });

  test("when some changes may have been missed, everything is asked for again", async () => {
    const calls: string[] = [];
    const listeners: ((signal: "everything") => void)[] = [];
    const signals = { ...services.signals, subscribe: (listener: (signal: "everything") => void) => (listeners.push(listener), () => {}) };
    const node = await startDelivery({ ...services, signals: signals as TestServices["signals"] }, { readRoutes: testReadRoutes(calls) });
    nodes.push(node);
    await fetchRaw(node, "/blog/posts?limit=1");
    await publish("Unheard of");
    expect((await fetchRaw(node, "/blog/posts?limit=1")).body.toString()).not.toContain("Unheard of");
    for (const listener of listeners) listener("everything");
    expect((await fetchRaw(node, "/blog/posts?limit=1")).body.toString()).toContain("Unheard of");
  });

  test("what was being loaded when some changes may have been missed is not kept: its version may come again with other content", async () => {
    const listeners: ((signal: "everything") => void)[] = [];
    const signals = { ...services.signals, subscribe: (listener: (signal: "everything") => void) => (listeners.push(listener), () => {}) };
    const begun = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    let now = "lost";
    const slow = readRoute({
      path: "/slow",
      query: {},
      cached: true,
      async run() {
        const value = now;
        begun.resolve();
        await gate.promise;
        return { kind: "json", value };
      },
    });
    const node = await startDelivery({ ...services, signals: signals as TestServices["signals"] }, { readRoutes: [slow] });
    nodes.push(node);
    const first = fetchRaw(node, "/slow");
    await begun.promise;
    now = "after the failover";
    for (const listener of listeners) listener("everything");
    const second = fetchRaw(node, "/slow");
    gate.resolve();
    expect([(await first).body.toString(), (await second).body.toString()]).toEqual(['"lost"', '"after the failover"']);
    expect((await fetchRaw(node, "/slow")).body.toString()).toBe('"after the failover"');
  });

  test("what is not there is looked for once, until something is published", async () => {
    const calls: string[] = [];
    const looked = readRoute({
      path: "/first/{title}",
      query: {},
      cached: true,
      async run({ website, content }, { title }) {
        calls.push(title!);
        const { rows } = await content.posts.listLive(website.id, { sort: "-publishedAt", after: null, limit: 1 });
        if (rows[0]?.content.title !== title) throw notFound("post");
        return { kind: "json", value: title };
      },
    });
    const node = await start({ readRoutes: [looked] });
    for (let n = 0; n < 3; n++) {
      const { status, body } = await fetchRaw(node, "/first/Missed");
      expect(status).toBe(404);
      expect(JSON.parse(body.toString())).toMatchObject({ code: "NOT_FOUND" });
    }
    expect(calls).toEqual(["Missed"]);
    // Nobody else's absence, and not that of another address.
    const other = await services.makeTenant();
    expect((await node.get("/first/Missed", await makeKey(services, other))).status).toBe(404);
    expect(calls).toEqual(["Missed", "Missed"]);
    await publish("Missed");
    expect((await fetchRaw(node, "/first/Missed")).status).toBe(200);
    // However many are made up, what is remembered of them is bounded, and of long ones nothing.
    const long = `/first/${"x".repeat(400)}`;
    expect([(await fetchRaw(node, long)).status, (await fetchRaw(node, long)).status]).toEqual([404, 404]);
    expect(calls.slice(-2)).toEqual(["x".repeat(400), "x".repeat(400)]);
  });

  test("takes no more than its bytes: what was not asked for lately goes first", async () => {
    const node = await start({ cacheBytes: 40_000 });
    for (let n = 0; n < 30; n++) {
      services.pass(1_000);
      await fetchRaw(node, `/blog/posts/long${n}`);
      await fetchRaw(node, "/blog/posts/favourite");
      expect(node.delivery.metrics().cache.bytes).toBeLessThanOrEqual(40_000);
    }
    const { misses } = node.delivery.metrics().cache;
    await fetchRaw(node, "/blog/posts/favourite");
    expect(node.delivery.metrics().cache.misses).toBe(misses);
  });

  test("holds one tenant's answers apart from another's, also with names that look alike", async () => {
    const node = await start();
    const stranger = await services.makeTenant();
    const theirs = await makeKey(services, stranger);
    for (const path of ["/blog/posts", "/blog/posts/a", "/blog/posts/a%2Fb"]) {
      const own = (await fetchRaw(node, path)).body.toString();
      const other = await (await node.get(path, theirs)).text();
      expect(own).toContain(tenant.website.id);
      expect(other).toContain(stranger.website.id);
      expect(other).not.toContain(tenant.website.id);
    }
  });

  test("what depends on more than the content is made each time", async () => {
    const calls: string[] = [];
    const node = await start({ readRoutes: testReadRoutes(calls) });
    await fetchRaw(node, "/blog/posts/a/views");
    await fetchRaw(node, "/blog/posts/a/views");
    expect(calls).toEqual(["views a", "views a"]);
  });
});

describe("when the content store does not answer", () => {
  function breakable() {
    const state = { isDown: false, hangsMillis: 0, asked: 0 };
    const read = readRoute({
      path: "/read/{name}",
      query: {},
      cached: true,
      async run(_place, { name }) {
        state.asked += 1;
        services.pass(state.hangsMillis);
        if (state.isDown) throw fail("CONTENT_STORE_UNAVAILABLE", "The database that holds the content does not answer.");
        return { kind: "json", value: name };
      },
    });
    return { state, readRoutes: [read] };
  }

  test("the last good answer is given, marked with Cache-Status and Age; it counts like any other", async () => {
    const { state, readRoutes } = breakable();
    const node = await start({ readRoutes });
    const fresh = await fetchRaw(node, "/read/a");
    expect(fresh.headers["cache-status"]).toBeUndefined();
    state.isDown = true;
    services.pass(42_000);
    await publish("Something changed");
    const stale = await fetchRaw(node, "/read/a");
    expect(stale.status).toBe(200);
    expect(stale.body.equals(fresh.body)).toBe(true);
    expect(stale.headers["cache-status"]).toMatch(/^stet; fwd=stale/);
    expect(stale.headers.age).toBe("42");
    expect((await fetchRaw(node, "/read/a", { "If-None-Match": fresh.headers.etag! })).status).toBe(304);
    // The store is left alone for a moment, and asked again afterwards.
    expect(state.asked).toBe(2);
    state.isDown = false;
    services.pass(1_000);
    const again = await fetchRaw(node, "/read/a");
    expect(again.headers["cache-status"]).toBeUndefined();
    expect(node.delivery.metrics().cache.stale).toBe(2);
  });

  test("one that fails only after seconds is left alone for a moment, too", async () => {
    const { state, readRoutes } = breakable();
    const node = await start({ readRoutes });
    await fetchRaw(node, "/read/a");
    Object.assign(state, { isDown: true, hangsMillis: 5_000 });
    await publish("Something changed");
    for (let n = 0; n < 3; n++) expect((await fetchRaw(node, "/read/a")).headers["cache-status"]).toMatch(/^stet; fwd=stale/);
    expect(state.asked).toBe(2);
  });

  test("otherwise 503 CONTENT_STORE_UNAVAILABLE with Retry-After, and the rest of the service is untouched", async () => {
    const { state, readRoutes } = breakable();
    const node = await start({ readRoutes: [...readRoutes, ...testReadRoutes()] });
    state.isDown = true;
    const refused = await node.get("/read/a", key);
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toBe("5");
    expect((await problemOf(refused)).code).toBe("CONTENT_STORE_UNAVAILABLE");
    expect((await node.get("/blog/posts/b", key)).status).toBe(200);
    state.isDown = false;
    expect((await node.get("/read/a", key)).status).toBe(200);
  });

  test("a reading that neither answers nor fails is given up, and the next one is made anew", async () => {
    let isHanging = true;
    const hanging = readRoute({
      path: "/hanging",
      query: {},
      cached: true,
      run: () => (isHanging ? new Promise(() => {}) : Promise.resolve({ kind: "json", value: "back" })),
    });
    const node = await start({ readRoutes: [hanging], loadTimeoutMillis: 50 });
    const answers = await Promise.all([fetchRaw(node, "/hanging"), fetchRaw(node, "/hanging")]);
    expect(answers.map(({ status, headers }) => [status, headers["retry-after"] !== undefined])).toEqual([
      [503, true],
      [503, true],
    ]);
    isHanging = false;
    expect((await fetchRaw(node, "/hanging")).body.toString()).toBe('"back"');
  });

  test("hot answers go on while the service's own database is away; cold ones are 503", async () => {
    let isDown = false;
    const { websites } = services.platform;
    const platform = {
      ...services.platform,
      websites: {
        ...websites,
        contentState: (id: Parameters<typeof websites.contentState>[0]) =>
          isDown ? Promise.reject(Object.assign(new Error("connect"), { code: "ECONNREFUSED" })) : websites.contentState(id),
      },
    };
    const node = await startDelivery({ ...services, platform });
    nodes.push(node);
    await fetchRaw(node, "/blog/posts/a");
    isDown = true;
    expect((await fetchRaw(node, "/blog/posts/a")).headers["cache-status"]).toBeUndefined();
    await services.signals.tellHere({ topic: "content", id: tenant.website.id });
    expect((await fetchRaw(node, "/blog/posts/a")).headers["cache-status"]).toMatch(/stale/);
    expect((await fetchRaw(node, "/blog/posts/never-seen")).status).toBe(503);
  });
});
