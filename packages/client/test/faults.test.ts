import { expect, test } from "vitest";
import { createClient } from "../src/client.ts";
import { type ClientOptions, StetError } from "../src/index.ts";
import type { Time } from "../src/time.ts";
import { cut, json, page, plain, problem, refused } from "./scripted-answers.ts";
import { serve } from "./scripted-server.ts";

const KEY = "stet_0123456789abcdefghijABCDEFGHIJ0123456789";

/** Waits pass without taking time, and are written down in seconds. */
function instantTime(): Time & { readonly waits: number[] } {
  const waits: number[] = [];
  let now = 0;
  return {
    waits,
    now: () => now,
    async sleep(millis, signal) {
      waits.push(millis / 1_000);
      now += millis;
      await Promise.resolve();
      signal?.throwIfAborted();
    },
  };
}

const clientOf = (url: string, options: Partial<ClientOptions> = {}, time: Time = instantTime()) =>
  createClient({ apiKey: KEY, url, ...options }, time);

async function errorOf(work: Promise<unknown>): Promise<StetError> {
  const error: unknown = await work.then(
    () => "no error",
    (thrown: unknown) => thrown,
  );
  if (!StetError.is(error)) throw new Error(`Not a StetError: ${String(error)}`);
  return error;
}

test.each([
  ["503", problem(503, "UNAVAILABLE", { "Retry-After": "2" }), 2],
  ["429", problem(429, "RATE_LIMITED", { "Retry-After": "3" }), 3],
  ["500", problem(500, "INTERNAL"), null],
  ["408", problem(408, "TIMEOUT"), null],
  ["502 of a proxy", plain(502, "<html>"), null],
  ["a connection that is refused in the middle", refused, null],
  ["a body that is cut", cut, null],
] as const)("%s is tried again, three times unless told, after the time the server names", async (_name, fault, seconds) => {
  const time = instantTime();
  const once = await serve(fault, page(["a"]));
  expect((await clientOf(once.url, {}, time).posts.list()).items).toEqual(["a"]);
  expect(await once.asked()).toHaveLength(2);
  if (seconds !== null) expect(time.waits.reduce((sum, wait) => sum + wait, 0)).toBe(seconds);
  const always = await serve(fault);
  await errorOf(clientOf(always.url).posts.list());
  expect(await always.asked()).toHaveLength(4);
  await errorOf(clientOf(always.url).posts.list({}, { retries: 0 }));
  expect(await always.asked()).toHaveLength(5);
});

test.each([
  [problem(400, "INVALID_CURSOR"), "INVALID_CURSOR", 400],
  [problem(401, "INVALID_API_KEY"), "INVALID_API_KEY", 401],
  [problem(403, "PLAN_REQUIRED"), "PLAN_REQUIRED", 403],
  [problem(404, "ROUTE_NOT_FOUND"), "ROUTE_NOT_FOUND", 404],
  [problem(404, "NOT_FOUND"), "NOT_FOUND", 404],
  [problem(429, "QUOTA_EXCEEDED", { "Retry-After": "1" }), "QUOTA_EXCEEDED", 429],
  [problem(503, "UNAVAILABLE", { "Retry-After": "61" }), "UNAVAILABLE", 503],
  [json(200, { items: [] }), "INVALID_RESPONSE", 200],
  [json(200, { data: "no list" }), "INVALID_RESPONSE", 0],
  [json(200, { data: [], pagination: null }), "INVALID_RESPONSE", 0],
  [json(200, { data: [], pagination: {} }), "INVALID_RESPONSE", 0],
  [json(404, { error: "not Stet" }), "INVALID_RESPONSE", 404],
] as const)("%# is an answer: it is told with its code and never asked again", async (answer, code, status) => {
  const server = await serve(answer);
  const time = instantTime();
  const error = await errorOf(clientOf(server.url, {}, time).posts.list());
  expect(error).toMatchObject({ code, status });
  if (status !== 0) expect(error.requestId).toBe("req_1");
  expect(await server.asked()).toHaveLength(1);
  expect(time.waits).toEqual([]);
});

test.each(["text/html", "text/plain"])("a page of another server (%s) is no answer, whatever its status", async (type) => {
  for (const status of [200, 404]) {
    const server = await serve(plain(status, "<h1>Hello</h1>", { "Content-Type": type }));
    const client = clientOf(server.url);
    for (const asking of [client.posts.list(), client.posts.findBySlug("a"), client.preview("token"), client.feeds.rss()]) {
      expect(await errorOf(asking)).toMatchObject({ code: "INVALID_RESPONSE", status });
    }
  }
});

test("null is for one answer alone: 404 NOT_FOUND", async () => {
  const missing = await serve(problem(404, "NOT_FOUND"));
  const client = clientOf(missing.url);
  for (const asking of [
    client.posts.findBySlug("a"),
    client.posts.findById("post_1"),
    client.posts.views("a"),
    client.categories.findBySlug("a"),
    client.media.find("media_1"),
    client.preview("token"),
  ]) {
    expect(await asking).toBeNull();
  }
  for (const data of [null, "a", 7]) {
    const lying = await serve(json(200, { data }));
    expect((await errorOf(clientOf(lying.url).posts.findBySlug("a"))).code).toBe("INVALID_RESPONSE");
  }
  const moved = await serve(problem(404, "ROUTE_NOT_FOUND"));
  expect((await errorOf(clientOf(`${moved.url}/elsewhere`).posts.findBySlug("a"))).code).toBe("ROUTE_NOT_FOUND");
});

test("bad input throws before any request", async () => {
  const server = await serve(page());
  const client = clientOf(server.url);
  const any = (value: unknown) => value as never;
  for (const asking of [
    client.posts.list({ limit: 0 }),
    client.posts.list({ limit: 101 }),
    client.posts.list({ limit: 1.5 }),
    client.posts.list({ limit: any("5") }),
    client.posts.list({ cursor: "" }),
    client.posts.list({ category: any(["a"]) }),
    client.posts.findBySlug(""),
    client.posts.findBySlug(any(undefined)),
    client.preview(any(7)),
    client.search("  "),
    client.posts.list({}, { timeoutMs: 0 }),
    client.posts.list({}, { retries: -1 }),
    client.posts.all({ limit: 1000 }).next(),
  ]) {
    expect(await errorOf(asking)).toMatchObject({ code: "INVALID_INPUT", status: 0 });
  }
  for (const options of [
    { apiKey: "" },
    { apiKey: undefined },
    { url: undefined },
    { apiKey: `${KEY}\n` },
    { url: "" },
    { url: "stet.example.com" },
    { url: "https://user:pass@stet.example.com" },
    { concurrency: 0 },
    { timeoutMs: -1 },
  ]) {
    expect(() => clientOf(server.url, options)).toThrow(StetError);
  }
  // As a part of an address they would lead to another one; no post has such a slug.
  for (const slug of [".", ".."]) expect(await client.posts.findBySlug(slug)).toBeNull();
  expect(await server.asked()).toEqual([]);
});

test.each(["", "/", "/v1", "/v1/", "/below", "/below/v1"])("the address may end with %j", async (ending) => {
  const server = await serve(page());
  await clientOf(server.url + ending).posts.list();
  expect((await server.asked())[0]!.url).toBe(`${ending.startsWith("/below") ? "/below" : ""}/v1/blog/posts`);
});

test("a slug is one part of the address, whatever is in it", async () => {
  const server = await serve(json(200, { data: {} }));
  await clientOf(server.url).posts.findBySlug("a/../b?c#d ü");
  expect((await server.asked())[0]!.url).toBe("/v1/blog/posts/a%2F..%2Fb%3Fc%23d%20%C3%BC");
});

test("a cursor that comes again ends the walk with an error, after the items were given", async () => {
  const server = await serve(page(["a"], "one"), page(["b"], "two"), page(["c"], "one"));
  const seen: unknown[] = [];
  const error = await errorOf(
    (async () => {
      for await (const item of clientOf(server.url).posts.all()) seen.push(item);
    })(),
  );
  expect([seen, error.code, (await server.asked()).length]).toEqual([["a", "b", "c"], "INVALID_RESPONSE", 3]);
});

test("a list that says it goes on, and not where, is no whole list; changes that go round in a circle end", async () => {
  const pagination = { hasNext: true, nextCursor: null, limit: 100 };
  const server = await serve(json(200, { data: ["a"], pagination }));
  const walk = async (items: AsyncIterable<unknown>) => {
    for await (const item of items) void item;
  };
  expect((await errorOf(walk(clientOf(server.url).posts.all()))).code).toBe("INVALID_RESPONSE");
  const changes = (cursor: string) => json(200, { data: [], cursor, reset: false, fingerprint: "f", pagination });
  const circle = await serve(changes("two"), changes("three"), changes("one"), changes("two"));
  expect((await errorOf(walk(clientOf(circle.url).changes.since("one")))).code).toBe("INVALID_RESPONSE");
  expect(await circle.asked()).toHaveLength(3);
});

test("neither a key nor a preview token is ever told: not in messages, causes or stacks", async () => {
  const token = "secret-token+with/signs";
  const echo = async (url: string): Promise<Response> => {
    const { status, headers, body } = problem(400, "INVALID_PARAMETER", {}, `You sent ${KEY} to ${decodeURIComponent(url)}.`);
    return new Response(body, { status, headers });
  };
  const fields = async (url: string, init: RequestInit): Promise<Response> => {
    const errors = [{ field: "token", message: `${url} with ${JSON.stringify(init.headers)}` }];
    return Response.json({ status: 422, code: "VALIDATION_FAILED", detail: "No.", errors }, { status: 422 });
  };
  const leaking = (url: string, init: RequestInit): never => {
    throw new TypeError(`Failed to fetch ${url}`, { cause: new Error(JSON.stringify(init.headers)) });
  };
  // As libraries around fetch do: the request hangs on the error, and a log prints it.
  const laden = (url: string, init: RequestInit): never => {
    const config = { url, headers: init.headers };
    throw Object.assign(new AggregateError([new Error(url)], "Down", { cause: { config } }), { code: "ECONNRESET", config });
  };
  const saying = (url: string, init: RequestInit): never => {
    throw `${url} ${JSON.stringify(init.headers)}` as unknown as Error;
  };
  const told: StetError[] = [];
  for (const send of [echo, fields, leaking, laden, saying]) {
    const client = clientOf("http://127.0.0.1:9", { fetch: send as never, retries: 0 });
    told.push(await errorOf(client.preview(token)), await errorOf(client.posts.list()));
  }
  const text = told.map(everythingOf).join("\n");
  for (const secret of [KEY, token, encodeURIComponent(token)]) expect(text).not.toContain(secret);
  // What helps to find the fault is still there.
  for (const hint of ["Failed to fetch", "ECONNRESET", "Down", "VALIDATION_FAILED"]) expect(text).toContain(hint);
});

/** Its message, stack, and every property of it, of its causes and of whatever hangs on them. */
function everythingOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  return Reflect.ownKeys(value)
    .map((name) => everythingOf(value[name as keyof typeof value]))
    .join("\n");
}

test("a preview is asked for without the key, and nothing of it is cached", async () => {
  const server = await serve(json(200, { data: { title: "Draft" } }, { ETag: '"1"' }));
  const kept = new Map<string, { etag: string; body: string }>();
  await clientOf(server.url, { cache: kept }).preview("token");
  expect((await server.asked())[0]!.headers.authorization).toBeUndefined();
  expect(kept.size).toBe(0);
});

test("what is cached is asked for with its ETag; a 304 answers it, a broken cache does no harm", async () => {
  const kept = new Map<string, { etag: string; body: string }>();
  const server = await serve(page(["a"], null, { ETag: '"1"' }), plain(304, "", { ETag: '"1"' }));
  const client = clientOf(server.url, { cache: kept });
  expect((await client.posts.list()).items).toEqual(["a"]);
  expect((await client.posts.list()).items).toEqual(["a"]);
  expect((await server.asked()).map(({ headers }) => headers["if-none-match"])).toEqual([undefined, '"1"']);
  expect([...kept.keys()].join()).not.toContain(KEY);

  const broken = { get: () => ({ etag: '"1"', body: "no json" }), set: () => Promise.reject(new Error("full")) };
  const throwing = {
    get: () => {
      throw new Error("gone");
    },
    set: () => {
      throw new Error("gone");
    },
  };
  for (const cache of [broken, throwing]) {
    const other = await serve(page(["b"], null, { ETag: '"2"' }));
    expect((await clientOf(other.url, { cache }).posts.list()).items).toEqual(["b"]);
    expect((await other.asked())[0]!.headers["if-none-match"]).toBeUndefined();
  }
});

test("`freshOnly` asks again instead of taking an old answer; without it the old one is taken, as is what another cache kept", async () => {
  const old = page(["old"], null, { "Cache-Status": "stet; fwd=stale; detail=CONTENT_STORE_UNAVAILABLE" });
  expect((await clientOf((await serve(old)).url).posts.list()).items).toEqual(["old"]);
  const recovered = await serve(old, page(["new"], null, { "Cache-Status": "cdn; fwd=miss" }));
  expect((await clientOf(recovered.url).posts.list({}, { freshOnly: true })).items).toEqual(["new"]);
  const error = await errorOf(clientOf((await serve(old)).url).posts.list({}, { freshOnly: true }));
  expect(error).toMatchObject({ status: 503, code: "CONTENT_STORE_UNAVAILABLE" });
});

test("fetchOptions go to fetch as they are, tags of Next.js are added, and neither can replace the key", async () => {
  const seen: Record<string, unknown>[] = [];
  const fetchOnce = (_url: string, init: RequestInit) => {
    seen.push(init as Record<string, unknown>);
    return Promise.resolve(Response.json({ data: {}, pagination: {} }));
  };
  const client = clientOf("https://stet.example", { fetch: fetchOnce, nextTags: true });
  await client.posts.findBySlug(
    "hello",
    {},
    { fetchOptions: { next: { revalidate: 60, tags: ["mine"] }, cache: "force-cache", headers: {} } },
  );
  expect(seen[0]).toMatchObject({ cache: "force-cache", next: { revalidate: 60, tags: ["stet", "stet-post-hello", "mine"] } });
  expect((seen[0]!["headers"] as Record<string, string>)["Authorization"]).toBe(`Bearer ${KEY}`);
});

test("StetError.is knows an error of another copy of the package, and nothing else", () => {
  const other = Object.assign(new Error("x"), { name: "StetError", code: "NOT_FOUND", status: 404 });
  expect([StetError.is(other), StetError.is(new Error("x")), StetError.is(null), StetError.is({ name: "StetError", code: "" })]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
