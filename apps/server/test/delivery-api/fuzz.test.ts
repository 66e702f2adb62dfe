import { POST_SORTS } from "@stet/contract";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { sendRaw } from "#test/delivery-node";
import { registry } from "#operations/registry";
import { type Answer, freshAddress } from "./request.ts";
import { type Blog, openService, type Service } from "./service.ts";

vi.setConfig({ testTimeout: 60_000 });

/** Stands in everything the other tenant wrote, and in nothing of ours. */
const MARK = "zqxforeign";

let service: Service;
let mine: Blog;
/** Ids, slugs, cursors and tokens of the other tenant. */
let foreign: string[];
let ownCursors: string[];

beforeAll(async () => {
  service = await openService();
  mine = await service.blog();
  const theirs = await service.blog();
  for (const blog of [mine, theirs]) {
    const word = blog === theirs ? MARK : "ours";
    await blog.write.settings({ publicUrl: `https://${word}.example`, title: word });
    const [category, tag, author] = [
      await blog.write.term("category", `${word} category`),
      await blog.write.term("tag", `${word} tag`),
      await blog.write.term("author", `${word} author`),
    ];
    const image = await blog.write.image(`${word}.png`);
    for (const n of [1, 2, 3]) {
      service.services.pass(1_000);
      await blog.write.post(`${word} post ${n}`, {
        body: `${word} body`,
        categoryIds: [category.id],
        tagIds: [tag.id],
        authorIds: [author.id],
        coverMediaId: image.id,
      });
    }
    await blog.write.draft(`${word} draft`, { body: `${word} draft body` });
  }
  foreign = await everythingNamed(theirs);
  ownCursors = (await everythingNamed(mine)).filter((name) => name.length > 60);
});
afterAll(() => service.stop());

async function everythingNamed(blog: Blog): Promise<string[]> {
  const names: string[] = [blog.tenant.website.id, blog.tenant.workspace.id, blog.tenant.owner.id];
  const lists = ["posts", "categories", "tags", "authors", "media"].map((name) => `/blog/${name}?limit=1`);
  for (const path of [...lists, ...POST_SORTS.map((sort) => `/blog/posts?limit=1&sort=${sort}`), "/blog/search?q=post&limit=1"]) {
    const { data, pagination } = (await blog.get(path)).json;
    for (const item of data) names.push(...[item.id, item.slug].filter(Boolean));
    if (pagination.nextCursor) names.push(pagination.nextCursor);
  }
  names.push((await blog.get("/blog/changes")).json.cursor);
  const { items } = await service.services.call(registry.list_posts, blog.tenant.actor, {
    websiteId: blog.tenant.website.id,
    statuses: ["draft"],
  });
  for (const post of items) names.push(post.id);
  return [...new Set(names)];
}

/** Never a fault, never another tenant's byte. Whoever asks may have named it, so what was sent is taken out first. */
function expectHarmless(answer: Pick<Answer, "status" | "text">, sent: string): void {
  expect(answer.status, `${sent} ${answer.text}`).toBeLessThan(500);
  expect(JSON.stringify(answer.text).replaceAll(sent, "")).not.toContain(MARK);
}

const ROUTES = [
  "posts",
  "posts/X",
  "categories",
  "categories/X",
  "tags/X",
  "authors/X",
  "media",
  "media/X",
  "search",
  "views",
  "posts/X/views",
  "changes",
  "feed.xml",
  "feed.json",
  "sitemap.xml",
  "llms.txt",
];
const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string(),
  fc.string({ unit: "grapheme" }),
  fc.constantFrom(
    "\u0000",
    "\ud800",
    "..",
    "/",
    "%",
    "'",
    '"',
    "\\",
    "${7*7}",
    "1e309",
    "-0",
    "true",
    "null",
    "[object Object]",
    "__proto__",
    "constructor",
    "\u202e",
    "😀".repeat(50),
  ),
);
const json = fc.oneof(fc.jsonValue(), fc.constant(undefined));
const encoded = (value: string) => Buffer.from(value).toString("base64url");

/** Cursors that look like ours more or less, with other types and other people's ids in them. */
const anyCursor = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString("base64url")),
  anyText.map((text) => encodeURIComponent(text.toWellFormed())),
  json.map((value) => encoded(JSON.stringify(value) ?? "")),
  fc
    .record({
      v: fc.oneof(fc.constant(1), fc.constantFrom<unknown>(2, 0, -1, 1.5, "1", null, true, [1], 1e300)),
      s: fc.oneof(fc.constantFrom<unknown>(...POST_SORTS, "name", "-rank", "changes", "-views.7d", "-views.all"), json),
      k: fc.oneof(
        anyText,
        fc.constantFrom<unknown>(
          "2026-11-15T09:00:00.000Z",
          "+010000-01-01T00:00:00.000Z",
          "0000-00-00T00:00:00.000Z",
          "-000001-01-01T00:00:00.000Z",
          "9999-12-31T23:59:59.999Z",
          "1",
          "0",
          "999999999999999",
          "-1",
          "0.5 post",
          "",
        ),
        json,
      ),
      id: fc.oneof(
        fc.nat({ max: 1_000 }).map((n) => foreign[n % foreign.length]!),
        anyText,
        json,
      ),
    })
    .map((value) => encoded(JSON.stringify(value))),
  fc.tuple(fc.nat({ max: 1_000 }), fc.nat({ max: 400 }), fc.constantFrom("", "A", "=", "%00", "~")).map(([n, cut, tail]) => {
    const all = [...ownCursors, ...foreign];
    return all[n % all.length]!.slice(0, cut) + tail;
  }),
);

const anyValue = fc.oneof(
  anyCursor,
  fc.nat({ max: 1_000 }).map((n) => foreign[n % foreign.length]!),
  fc.integer().map(String),
  fc.constantFrom(...POST_SORTS, "true", "7d", "html", "post", MARK),
);
const anyQuery = fc.array(
  fc.tuple(
    fc.constantFrom("limit", "cursor", "sort", "category", "tag", "author", "featured", "q", "period", "since", "format", "page", "x"),
    anyValue,
  ),
  { maxLength: 4 },
);

test("any cursor at any list: an answer or a refusal, never a fault, never another tenant's byte", async () => {
  const lists = ["posts", "categories", "tags", "authors", "media", "search?q=post", "views", "sitemap.xml"];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...lists),
      anyCursor,
      fc.constantFrom("", ...POST_SORTS.map((sort) => `&sort=${sort}`)),
      async (list, cursor, sort) => {
        const path = `/blog/${list}${list.includes("?") ? "&" : "?"}cursor=${cursor}${list === "posts" ? sort : ""}`;
        const answer = await mine.get(path);
        expectHarmless(answer, cursor);
        if (answer.status !== 200) expect([answer.status, path]).toEqual([400, path]);
      },
    ),
    { numRuns: 600 },
  );
  await fc.assert(
    fc.asyncProperty(anyCursor, async (since) => expectHarmless(await mine.get(`/blog/changes?since=${since}`), since)),
    { numRuns: 200 },
  );
});

test("any query on any route: never a fault, never another tenant's byte", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...ROUTES), anyValue, anyQuery, async (route, name, query) => {
      const path = `/blog/${route.replace("X", name || "x")}`;
      const text = query.map(([key, value]) => `${key}=${value}`).join("&");
      expectHarmless(await mine.get(text === "" ? path : `${path}?${text}`, { described: !/%|[^\w-]/.test(name) && name !== "" }), name);
    }),
    { numRuns: 600 },
  );
});

test("what another tenant owns is not found under any name it has", async () => {
  for (const route of ROUTES.filter((candidate) => candidate.includes("X"))) {
    for (const name of foreign) {
      const answer = await mine.get(`/blog/${route.replace("X", name)}`);
      expect([route, name, answer.status]).toEqual([route, name, 404]);
    }
  }
  for (const name of foreign) {
    for (const filter of ["category", "tag", "author"]) {
      const answer = await mine.get(`/blog/posts?${filter}=${name}`);
      expect([filter, name, answer.json.data]).toEqual([filter, name, []]);
    }
  }
  expect((await mine.get(`/blog/search?q=${MARK}`)).json.data).toEqual([]);
});

test("any headers, method and path over a raw socket: an answer below 500 or a closed connection, and the node goes on", async () => {
  const printable = fc.string({ unit: fc.constantFrom(..."abcXYZ019-_.,;=*/\"'()<>@[]{}:\\ \t!#$%&+^`|~é") });
  const token = fc.string({ unit: fc.constantFrom(..."abcdefXYZ-_!#$%&'*+.^`|~019"), minLength: 1, maxLength: 20 });
  const header = fc.oneof(
    fc.tuple(token, printable),
    fc.tuple(
      fc.constantFrom(
        "Accept",
        "Accept-Encoding",
        "If-None-Match",
        "Origin",
        "Range",
        "If-Modified-Since",
        "Cookie",
        "Content-Type",
        "X-Forwarded-For",
        "X-Request-Id",
        "Forwarded",
        "Via",
        "Expect",
        "Upgrade",
        "TE",
        "Authorization",
        "X-HTTP-Method-Override",
        "Host",
        "Connection",
      ),
      fc.oneof(
        printable,
        fc.constantFrom(
          "*",
          "br;q=9",
          'W/"',
          '"*"',
          "bytes=0-1",
          "100-continue",
          "h2c",
          "websocket",
          "Bearer",
          "Bearer ",
          "null",
          "identity;q=0,*;q=0",
          "text/markdown",
          "gzip,".repeat(300),
        ),
      ),
    ),
  );
  const path = fc.oneof(
    fc.constantFrom(
      "/v1/blog/posts",
      "/v1/blog/posts/x",
      "/v1/collect",
      "/v1/openapi.json",
      "/v1/preview/x",
      "*",
      "http://other.example/v1/blog/posts",
      "/v1/../v1/blog/posts",
      "/v1/%2e%2e/metrics",
      "//v1/blog/posts",
      "/v1/blog/posts/%00",
      "/v1/blog/posts/%",
      "/v1/blog/posts/%ff%fe",
      "/v1/blog/posts/%c0%ae",
      "/v1/blog/posts?%",
      "/v1/blog/posts?limit=%00",
      "/v1/blog/posts#x",
      `/v1/blog/posts/${"a".repeat(8_000)}`,
      `/v1/${"a/".repeat(3_000)}`,
      "/v1/blog/posts;a=b",
      "/v1\\blog\\posts",
      "/v1/blog/posts/..%2f..%2fmetrics",
      "/v1/blog/posts/%252e",
    ),
    printable.map((text) => `/v1/${text.replaceAll(/[\s]/g, "")}`),
  );
  const method = fc.oneof(
    fc.constantFrom("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT", "PRI", "get", "QUERY", "M-SEARCH"),
    token,
  );
  await fc.assert(
    fc.asyncProperty(method, path, fc.array(header, { maxLength: 6 }), async (verb, target, headers) => {
      const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
      const raw = `${verb} ${target} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${freshAddress()}\r\nAuthorization: Bearer ${mine.key}\r\nConnection: close\r\n${lines}\r\n`;
      const answer = await sendRaw(service.port, Buffer.from(raw, "latin1"));
      const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1] ?? 0);
      expect([raw, status < 500]).toEqual([raw, true]);
      expect(answer).not.toContain(MARK);
    }),
    { numRuns: 400 },
  );
  expect((await mine.get("/blog/posts")).status).toBe(200);
});
