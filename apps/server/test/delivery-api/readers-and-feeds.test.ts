import { describe, expect, test } from "vitest";
import { createLog } from "#main/log";
import { registry } from "#operations/registry";
import { closedAtEnd } from "#test/closed-at-end";
import { type Blog, openService, startNode } from "./service.ts";
import { walk } from "./walk.ts";

const service = closedAtEnd(await openService());

const pass = (millis: number) => service.services.pass(millis);

describe("reader numbers", () => {
  const BROWSER = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";
  const collect = (blog: Blog, post: string, { from, ...headers }: Record<string, string> = {}) =>
    service.ask("/collect", {
      method: "POST",
      headers: { "Content-Type": "text/plain", "User-Agent": BROWSER, ...headers },
      body: JSON.stringify({ website: blog.tenant.website.id, post }),
      ...(from && { from }),
    });
  const views = async (blog: Blog, post: string) => (await blog.get(`/blog/posts/${post}/views`)).json.data.views;

  test("POST /collect is public and takes a website id, never a key; the post's and the most-read numbers follow within seconds", async () => {
    const blog = await service.blog();
    const [first, second] = [await blog.write.post("First"), await blog.write.post("Second")];
    for (const post of ["first", "second", second.id, "second"]) expect((await collect(blog, post)).status).toBe(204);
    await expect.poll(() => views(blog, "second")).toEqual({ "7d": 3, "30d": 3, "90d": 3, all: 3 });
    for (const period of ["7d", "30d", "90d", "all"]) {
      const { data } = (await blog.get(`/blog/views?period=${period}`)).json;
      expect(data.map((row: { post: { id: string }; views: number }) => [row.post.id, row.views])).toEqual([
        [second.id, 3],
        [first.id, 1],
      ]);
    }
    expect((await walk(blog, "/blog/views?period=all&limit=1")).map((row) => row["views"])).toEqual([3, 1]);
    expect((await blog.get("/blog/views?period=1y")).code).toBe("INVALID_PARAMETER");
  });

  test("one visitor counts once per post in 30 minutes; bots, Do-Not-Track and Global Privacy Control do not count", async () => {
    const blog = await service.blog();
    await blog.write.post("Read");
    const from = "192.0.2.44";
    for (let n = 0; n < 5; n++) await collect(blog, "read", { from });
    await collect(blog, "read", { DNT: "1" });
    await collect(blog, "read", { "Sec-GPC": "1" });
    await collect(blog, "read", { "User-Agent": "Googlebot/2.1 (+http://www.google.com/bot.html)" });
    await collect(blog, "read");
    await expect.poll(async () => (await views(blog, "read")).all).toBe(2);
    pass(31 * 60_000);
    await collect(blog, "read", { from });
    await expect.poll(async () => (await views(blog, "read")).all).toBe(3);
  });

  test("of a post that is not published there are none: 404", async () => {
    const blog = await service.blog();
    const draft = await blog.write.draft("Draft");
    expect((await collect(blog, draft.id)).status).toBe(204);
    expect((await blog.get(`/blog/posts/${draft.id}/views`)).code).toBe("NOT_FOUND");
    expect((await blog.get("/blog/views")).json.data).toEqual([]);
  });
});

describe("GET /blog/changes?since=", () => {
  test("what was published, updated, renamed or removed since a cursor, in commit order", async () => {
    const blog = await service.blog();
    const start = (await blog.get("/blog/changes")).json;
    expect([start.reset, start.data]).toEqual([true, []]);
    const { write } = blog;
    let post = await write.post("Post");
    post = await write.revise(post, { slug: "renamed" });
    post = await write.revise(post, { title: "Retitled" });
    post = await write.unpublish(post);
    await write.draft("Never seen");
    const gone = await write.post("Gone");
    await write.trash(gone);
    const { data, reset, cursor } = (await blog.get(`/blog/changes?since=${start.cursor}`)).json;
    expect(reset).toBe(false);
    expect(data.map((change: Record<string, string>) => [change["type"], change["slug"], change["previousSlug"]])).toEqual([
      ["published", "post", null],
      ["updated", "renamed", "post"],
      ["updated", "renamed", null],
      ["removed", "renamed", null],
      ["published", "gone", null],
      ["removed", "gone", null],
    ]);
    expect((await blog.get(`/blog/changes?since=${cursor}`)).json).toMatchObject({ data: [], reset: false });
    const other = await service.blog();
    expect((await other.get(`/blog/changes?since=${start.cursor}`)).json).toMatchObject({ data: [], reset: true });
  });

  test("tombstones are kept 90 days; a cursor too old answers reset: true", async () => {
    const blog = await service.blog();
    const before = (await blog.get("/blog/changes")).json.cursor;
    await blog.write.unpublish(await blog.write.post("Old"));
    pass(89 * 86_400_000);
    expect((await blog.get(`/blog/changes?since=${before}`)).json).toMatchObject({ reset: false, data: [{}, { type: "removed" }] });
    pass(2 * 86_400_000);
    expect((await blog.get(`/blog/changes?since=${before}`)).json).toMatchObject({ reset: true, data: [] });
  });
});

describe("ready to proxy", () => {
  test("feed.xml, feed.json, sitemap.xml and llms.txt come from the website's public address", async () => {
    const blog = await service.blog();
    await blog.write.settings({ publicUrl: "https://example.com/journal", title: "A & B" });
    await blog.write.post("Hello <world>", { body: "Text" });
    await blog.write.draft("Hidden");
    const types = {
      "feed.xml": /^application\/rss\+xml/,
      "feed.json": /^application\/feed\+json/,
      "sitemap.xml": /^application\/xml/,
      "llms.txt": /^text\/plain/,
    };
    for (const [file, type] of Object.entries(types)) {
      const answer = await blog.get(`/blog/${file}`);
      expect([file, answer.status]).toEqual([file, 200]);
      expect(answer.headers["content-type"]).toMatch(type);
      expect(answer.text).toContain("https://example.com/journal/hello-world");
      expect(answer.text.toLowerCase()).not.toContain("hidden");
      expect((await blog.get(`/blog/${file}`, { headers: { "If-None-Match": answer.headers.etag! } })).status).toBe(304);
    }
  });

  test("Accept: text/markdown on a single post answers Markdown, with an ETag of its own", async () => {
    const blog = await service.blog();
    await blog.write.post("Marked", { body: "# Down\n\nText." });
    const answer = await blog.get("/blog/posts/marked", { headers: { Accept: "text/markdown" } });
    expect(answer.headers["content-type"]).toBe("text/markdown; charset=utf-8");
    expect(answer.text).toMatch(/^---\ntitle: "Marked"\n[\s\S]*\n---\n\n# Down\n\nText\.$/);
    expect(answer.headers.etag).not.toBe((await blog.get("/blog/posts/marked")).headers.etag);
    for (const Accept of ["application/json", "*/*", "text/html,*/*;q=0.8", "text/markdown;q=0.1, application/json"]) {
      expect((await blog.get("/blog/posts/marked", { headers: { Accept } })).headers["content-type"]).toBe("application/json");
    }
  });
});

describe("GET /preview/{token}", () => {
  test("the working copy of one post, 1 h; no-store, no-referrer; no key needed and no key suffices", async () => {
    const blog = await service.blog();
    const draft = await blog.write.draft("A draft", { body: "Secret" });
    const { token } = await service.services.call(registry.create_preview, blog.tenant.actor, {
      websiteId: blog.tenant.website.id,
      postId: draft.id,
    });
    const answer = await service.ask(`/preview/${token}`);
    expect(answer.json.data).toMatchObject({ id: draft.id, title: "A draft", status: "draft", body: { markdown: "Secret" } });
    expect(answer.headers).toMatchObject({ "cache-control": "no-store", "referrer-policy": "no-referrer" });
    expect(answer.headers).not.toHaveProperty("etag");
    for (const bad of [blog.key, draft.id, `${token}x`, token.slice(0, -1)]) {
      expect([404, 401]).toContain((await service.ask(`/preview/${bad}`, { key: blog.key })).status);
    }
    pass(3_600_001);
    expect((await service.ask(`/preview/${token}`)).status).toBe(404);
  });

  test("void when its maker loses access", async () => {
    const blog = await service.blog();
    const { actor, workspace, website } = blog.tenant;
    const editor = await blog.tenant.addMember("editor");
    const draft = await blog.write.draft("A draft");
    const { token } = await service.services.call(registry.create_preview, editor, { websiteId: website.id, postId: draft.id });
    expect((await service.ask(`/preview/${token}`)).status).toBe(200);
    await service.services.call(registry.remove_member, actor, { workspaceId: workspace.id, userId: editor.userId });
    expect((await service.ask(`/preview/${token}`)).status).toBe(404);
  });

  test("never logged: neither a token nor a key nor what was searched for, whatever is asked to be logged", async () => {
    const blog = await service.blog();
    const draft = await blog.write.draft("A draft");
    const { token } = await service.services.call(registry.create_preview, blog.tenant.actor, {
      websiteId: blog.tenant.website.id,
      postId: draft.id,
    });
    const lines: string[] = [];
    const node = await startNode(service.services, createLog("debug", { write: (line) => void lines.push(line) }));
    const tampered = token.slice(0, -3);
    await node.ask(`/preview/${token}`);
    await node.ask(`/preview/${tampered}`);
    await node.ask(`/preview/${token}/more`, { described: false });
    for (const mistyped of ["/Preview/", "/%70review/", "/blog/posts/"]) await node.ask(mistyped + token, { described: false });
    await node.ask(`/blog/${blog.key}`, { described: false });
    await node.ask(`/blog/posts?cursor=${token}`, { key: blog.key });
    await node.ask("/blog/search?q=private", { key: blog.key });
    await node.ask("/blog/posts", { key: `${blog.key.slice(0, -1)}!` });
    await node.stop();
    expect(lines.length).toBeGreaterThan(5);
    for (const secret of [tampered, blog.key.slice(0, -1), "private"]) expect(lines.join("")).not.toContain(secret);
  });
});
