import { createClient, type Post, StetError } from "@stet/client";
import { afterAll, beforeAll, expect, expectTypeOf, test } from "vitest";
import { openSuiteBlog, type SuiteBlog } from "./suite-blog.ts";

/** Also run in a browser and on other runtimes, by `runtimes.test.ts`: so it uses nothing of Node's. */
const inBrowser = "document" in globalThis;
let blog: SuiteBlog;
beforeAll(async () => {
  blog = await openSuiteBlog();
});
afterAll(() => blog.close());

const clientFor = <F>(options: Partial<Parameters<typeof createClient>[0]> = {}) =>
  createClient<F>({ apiKey: blog.key, url: blog.url, ...options });

async function collected<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

test("every call reads what the service answers", async () => {
  const client = clientFor<{ mood?: string }>();
  const first = await client.posts.list({ limit: 3 });
  expect([first.items.length, first.pagination.hasNext]).toEqual([3, true]);
  expect((await client.posts.list({ limit: 3, cursor: first.pagination.nextCursor! })).items[0]!.id).not.toBe(first.items[0]!.id);
  const all = await collected(client.posts.all({ limit: 3, sort: "title", category: "news" }));
  expect(all.map(({ title }) => title)).toEqual(Array.from({ length: 7 }, (_, n) => `Post ${n}`));

  const post = (await client.posts.findBySlug("post-1"))!;
  expectTypeOf(post).toEqualTypeOf<Post<{ mood?: string }>>();
  expect([post.url, post.body.headings]).toEqual(["https://example.com/blog/post-1", [{ id: "h-part", depth: 2, text: "Part" }]]);
  expect(Object.keys((await client.posts.findById(post.id, { format: "markdown" }))!.body)).toEqual(["markdown"]);
  expect((await client.posts.findBySlug("once"))!.slugRedirectedFrom).toBe("once");
  expect(await client.posts.findBySlug("nothing")).toBeNull();
  expect((await client.posts.views("post-1"))!.views.all).toBe(0);

  for (const [terms, slug] of [
    [client.categories, "news"],
    [client.tags, "bread"],
    [client.authors, "ada"],
  ] as const) {
    expect((await terms.list()).items.map((term) => [term.slug, term.postCount])).toEqual([[slug, 7]]);
    expect((await collected(terms.all())).length).toBe(1);
    expect((await terms.findBySlug(slug))!.slug).toBe(slug);
    expect(await terms.findBySlug("nothing")).toBeNull();
  }
  const [media] = await collected(client.media.all());
  expect((await client.media.find(media!.id))!.filename).toBe("loaf.png");
  expect((await client.search("number")).items.length).toBeGreaterThan(0);
  expect((await client.mostRead({ period: "7d" })).items).toEqual([]);
  expect(await collected(client.redirects.all())).toMatchObject([{ from: "once", to: "now" }]);
  expect(await client.website()).toMatchObject({ id: blog.websiteId, title: "Field notes", url: "https://example.com/blog" });
  expect(await client.feeds.rss({ limit: 1 })).toContain("<rss");
  expect(JSON.parse(await client.feeds.json())).toMatchObject({ title: "Field notes" });
  expect(await client.feeds.sitemap()).toContain("<urlset");
  expect(await client.feeds.llms()).toContain("# Field notes");
});

test("a preview shows the draft and needs no key; a wrong token is null", async () => {
  const token = await blog.previewOf("Secret plans", { body: "Not yet." });
  const client = clientFor();
  expect(await client.preview(token)).toMatchObject({
    title: "Secret plans",
    status: "draft",
    url: "https://example.com/blog/secret-plans",
  });
  expect(await client.preview("wrong")).toBeNull();
});

test("changes are told page by page from a cursor on; the first time it says to read everything", async () => {
  const client = clientFor();
  const [start] = await collected(client.changes.since(null));
  expect(start).toMatchObject({ reset: true, changes: [] });
  for (let n = 0; n < 30; n++) await blog.post(`Change ${n}`);
  const pages = await collected(client.changes.since(start!.cursor));
  expect(pages.flatMap(({ changes }) => changes).map(({ slug }) => slug)).toEqual(Array.from({ length: 30 }, (_, n) => `change-${n}`));
  expect(pages.length).toBeGreaterThan(1);
  expect(await collected(client.changes.since(pages.at(-1)!.cursor))).toMatchObject([{ reset: false, changes: [] }]);
});

test("while pages are read, posts come and go: those that stay appear exactly once", async () => {
  const client = clientFor();
  const before = (await collected(client.posts.all())).map(({ id }) => id);
  const gone = await blog.post("Goes away");
  const seen: string[] = [];
  for await (const { id } of client.posts.all({ limit: 2 })) {
    if (seen.length === 3) await blog.post("Comes first");
    if (seen.length === 5) await blog.unpublish(gone);
    seen.push(id);
  }
  expect(new Set(seen).size).toBe(seen.length);
  for (const id of before) expect(seen).toContain(id);
});

test("what did not change is a 304, which costs nothing of the month", async () => {
  const cache = new Map<string, { etag: string; body: string }>();
  const statuses: number[] = [];
  const fetchAndNote = async (url: string, init: RequestInit) => {
    const response = await fetch(url, init);
    statuses.push(response.status);
    return response;
  };
  const client = clientFor({ cache, fetch: fetchAndNote });
  const first = await client.posts.list();
  expect(await client.posts.list()).toEqual(first);
  const rss = await client.feeds.rss();
  expect(await client.feeds.rss()).toBe(rss);
  await blog.post("Another");
  expect((await client.posts.list()).items[0]!.title).toBe("Another");
  expect(statuses).toEqual([200, 304, 200, 304, 200]);
});

test("every refusal of the service arrives as one error with its status, code and request id", async () => {
  const codeOf = async (work: Promise<unknown>) => {
    const error: unknown = await work.then(
      () => "answered",
      (thrown: unknown) => thrown,
    );
    if (!StetError.is(error)) throw new Error(`Not a StetError: ${String(error)}`);
    expect(error.requestId).toMatch(/^req_/);
    return `${error.status} ${error.code}`;
  };
  const client = clientFor();
  const theirs = createClient({ apiKey: await blog.freeKey(), url: blog.url });
  const any = (value: unknown) => value as never;
  const { pagination } = await client.posts.list({ limit: 1 });
  expect(
    await Promise.all([
      codeOf(client.posts.list({ sort: any("popular") })),
      codeOf(client.posts.list({ cursor: "bent" })),
      codeOf(client.posts.list({ cursor: pagination.nextCursor!, sort: "title" })),
      codeOf(client.posts.list({ cursor: btoa('{"v":2}').replaceAll("=", "") })),
      codeOf(client.posts.list(any({ page: 2 }))),
      codeOf(client.posts.findBySlug("a", { format: any("pdf") })),
      codeOf(clientFor({ apiKey: "stet_wrong" }).posts.list()),
      codeOf(theirs.search("bread")),
      codeOf(theirs.feeds.rss()),
      codeOf(clientFor({ url: `${blog.url}/elsewhere` }).posts.list()),
    ]),
  ).toEqual([
    "400 UNSUPPORTED_SORT",
    "400 INVALID_CURSOR",
    "400 INVALID_CURSOR",
    "400 UNSUPPORTED_CURSOR_VERSION",
    "400 UNKNOWN_PARAMETER",
    "400 INVALID_PARAMETER",
    "401 INVALID_API_KEY",
    "403 PLAN_REQUIRED",
    "422 VALIDATION_FAILED",
    "404 ROUTE_NOT_FOUND",
  ]);
});

test("a key of another origin is refused; a page is not even told why, by its browser", async () => {
  const client = clientFor({ apiKey: await blog.makeKey({ origins: ["example.com"] }), retries: 0 });
  const error: unknown = await client.posts.list({}, { headers: { Origin: "https://evil.example" } }).catch((thrown: unknown) => thrown);
  expect(StetError.is(error) && error.code).toBe(inBrowser ? "NETWORK_ERROR" : "ORIGIN_NOT_ALLOWED");
});

test("a spent month is told right away, and what is cached is still read", async () => {
  const capped = await blog.makeKey({ monthlyCap: 2 });
  const cache = new Map<string, { etag: string; body: string }>();
  const client = createClient({ apiKey: capped, url: blog.url, cache });
  // Nobody asked for these before: a browser would have kept them, and what is unchanged is free.
  const first = await client.posts.list({ limit: 97 });
  await client.posts.list({ limit: 98 });
  const started = performance.now();
  const error: unknown = await client.posts.list({ limit: 99 }).catch((thrown: unknown) => thrown);
  expect(StetError.is(error) && [error.code, error.retryAfter! > 60]).toEqual(["QUOTA_EXCEEDED", true]);
  expect(performance.now() - started).toBeLessThan(5_000);
  expect(await client.posts.list({ limit: 97 })).toEqual(first);
});
