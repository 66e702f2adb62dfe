import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openPostgresContent } from "#adapters/postgres/content/open";
import { registry } from "#operations/registry";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode } from "#test/dashboard-node";
import { connect } from "#test/oauth/sign-in";
import type { Tenant } from "#test/services";
import { openClient, type TestClient } from "./client.ts";

const node = closedAtEnd(await openDashboardNode({ pages: false }));
let tenant: Tenant;
let claude: TestClient;

beforeAll(async () => {
  tenant = await node.makeTenant();
  claude = await openClient(node, (await connect(node, tenant.owner)).accessToken);
  return () => claude.close();
});

const draft = async (title: string, body: string): Promise<string> =>
  (await claude.call("create_post", { title, body })).data.post.id as string;

describe("a post by its slug", () => {
  test("is the same as by its id, in every tool, with or without the slash of an address", async () => {
    const id = await draft("Bread at home", "Flour.");
    expect((await claude.call("get_post", { post: "bread-at-home" })).data.post.id).toBe(id);
    const edited = await claude.call("update_post", { post: "/bread-at-home", expectedVersion: 1, excerpt: "Of flour." });
    expect(edited.data.post).toMatchObject({ id, version: 2 });
    expect((await claude.call("publish_post", { post: "bread-at-home", expectedVersion: 2 })).data.outcome).toBe("published");
    expect((await claude.call("list_revisions", { post: "bread-at-home" })).isError).toBe(false);
    expect((await claude.call("get_stats", { post: "bread-at-home" })).isError).toBe(false);
  });

  test("is found under a slug it was live under", async () => {
    const id = await draft("Old name", "Text.");
    await claude.call("publish_post", { post: id, expectedVersion: 1 });
    await claude.call("update_post", { post: id, expectedVersion: 2, slug: "new-name" });
    await claude.call("publish_post", { post: id, expectedVersion: 3 });
    expect((await claude.call("get_post", { post: "old-name" })).data.post).toMatchObject({ id, slug: "new-name" });
  });

  test("that nobody has, and a title, say where to look", async () => {
    expect((await claude.call("get_post", { post: "nobody-has-this" })).text).toMatch(/^NOT_FOUND: .* Use an id from list_posts/);
    expect((await claude.call("get_post", { post: "Bread at home" })).text).toContain(
      "post must be the id or the slug of a post; find it with list_posts or search_posts",
    );
  });

  test("tells a contributor nothing of another's draft, nor of an address that is only planned", async () => {
    const { actor, website } = tenant;
    const here = { websiteId: website.id };
    const live = await node.call(registry.create_post, actor, { ...here, title: "Known to readers" });
    await node.call(registry.publish_post, actor, { ...here, postId: live.id, expectedVersion: 1 });
    await node.call(registry.edit_post, actor, { ...here, postId: live.id, expectedVersion: 2, slug: "only-planned" });
    await node.call(registry.create_post, actor, { ...here, title: "Still secret" });
    const contributor = await tenant.addMember("contributor");
    const find = (slug: string) => node.call(registry.find_post, contributor, { ...here, slug });
    expect(await find("known-to-readers")).toEqual({ id: live.id });
    await expect(find("only-planned")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(find("still-secret")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("a passage in every text", () => {
  const LINK = "https://old.example.com/a_b?c=d&e";

  test("is found to the letter, in links and drafts too, with what is needed to replace it", async () => {
    const first = await draft("First", `See [the shop](${LINK}) and <${LINK.toUpperCase()}>.`);
    const second = await draft("Second", `Nothing but ${LINK}`);
    await draft("Third", "See https://old.example.com/elsewhere");
    const { data, text } = await claude.call("search_posts", { text: LINK, in: "markdown" });
    expect(data.searched).toBe("markdown");
    const hits = (data.hits as { title: string; version: number }[]).toSorted((a, b) => a.title.localeCompare(b.title));
    expect(hits).toMatchObject([
      { id: first, version: 1, times: 2 },
      { id: second, version: 1, times: 1, excerpt: `Nothing but **${LINK}**` },
    ]);
    expect(text).toContain(`${first} v1 "First" /first (2 ×)`);
    const replaced = await claude.call("edit_post_body", {
      post: second,
      expectedVersion: hits[1]!.version,
      edits: [{ find: LINK, replace: "https://new.example.com" }],
    });
    expect(replaced.isError).toBe(false);
    expect((await claude.call("search_posts", { text: LINK, in: "markdown" })).data.hits).toMatchObject([{ id: first }]);
  });

  test("comes in pages, each hit once", async () => {
    for (let n = 0; n < 5; n += 1) await draft(`Page ${n}`, "the needle");
    const seen: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const { data } = await claude.call("search_posts", { text: "THE NEEDLE", in: "markdown", limit: 2, ...(cursor && { cursor }) });
      seen.push(...(data.hits as { title: string }[]).map(({ title }) => title));
      cursor = data.nextCursor as string | null;
    }
    expect(seen.toSorted()).toEqual(["Page 0", "Page 1", "Page 2", "Page 3", "Page 4"]);
    const all = await claude.call("search_posts", { text: "the needle", in: "markdown", limit: 5 });
    const rest = await claude.call("search_posts", { text: "the needle", in: "markdown", limit: 5, cursor: all.data.nextCursor });
    expect(rest.text).toBe("Nothing more.");
  });

  test("that is nowhere is told so; words that readers' search does not find lead here", async () => {
    expect((await claude.call("search_posts", { text: "nowhere at all", in: "markdown" })).text).toContain(
      "No post contains this, drafts included",
    );
    expect((await claude.call("search_posts", { text: "nowhereatall" })).text).toContain('search with in: "markdown"');
    expect((await claude.call("search_posts", { text: " " })).text).toContain("text must not be empty");
  });

  test("is searched on paid plans", async () => {
    const free = await node.makeTenant();
    await node.call(registry.change_plan, free.actor, { workspaceId: free.workspace.id, plan: "free" });
    const client = await openClient(node, (await connect(node, free.owner)).accessToken);
    const refused = await client.call("search_posts", { text: "x", in: "markdown" });
    expect(refused.text).toMatch(/^PLAN_REQUIRED: .* Search in the titles instead/);
    await client.close();
  });
});

test("titles of a website that is searched in parts are looked through part by part, and a bounded number of them", async () => {
  const { database, contents } = node.services;
  const { posts } = contents.managed;
  const { list, listHeads } = posts;
  const search = openPostgresContent(database, { titlesAtOnce: [1] }).posts;
  Object.assign(posts, { list: search.list, listHeads: search.listHeads });
  onTestFinished(() => void Object.assign(posts, { list, listHeads }));
  const other = await node.makeTenant();
  const client = await openClient(node, (await connect(node, other.owner)).accessToken);
  onTestFinished(() => client.close());
  const write = (title: string) => node.call(registry.create_post, other.actor, { websiteId: other.website.id, title });
  const { id } = await write("The oldest of all");
  for (let n = 0; n < 19; n++) await write(`Later ${n}`);
  for (const find of [
    async (more = {}) => client.call("list_posts", { titleContains: "OLDEST", ...more }),
    async (more = {}) => client.call("search_posts", { text: "OLDEST", in: "titles", ...more }),
  ]) {
    const found = await find();
    expect(found.data.posts ?? found.data.hits).toMatchObject([{ id }]);
    expect((await find({ cursor: found.data.nextCursor })).text).toBe("Nothing more.");
  }
  await write("One more");
  const { data, text } = await client.call("list_posts", { titleContains: "OLDEST" });
  expect(data.posts).toEqual([]);
  expect(text).toBe(`No results so far.\nMore: call again with cursor ${data.nextCursor}`);
  expect((await client.call("list_posts", { titleContains: "OLDEST", cursor: data.nextCursor })).data.posts).toMatchObject([{ id }]);
});

test("a key that is not known within an argument is answered with those that are", async () => {
  const post = await draft("Nested", "Text.");
  const seo = await claude.call("update_post", { post, expectedVersion: 1, seo: { descripton: "x" } });
  expect(seo.text).toContain("seo.descripton is unknown; known: title, description, canonicalUrl, ogImageUrl, noindex");
  const edits = await claude.call("edit_post_body", { post, expectedVersion: 1, edits: [{ find: "a", replace: "b", with: "c" }] });
  expect(edits.text).toContain("edits.0.with is unknown; known: find, replace, all");
});

test("a key that was used for another post says that nothing was made", async () => {
  const first = await claude.call("create_post", { title: "One of two", idempotencyKey: "same" });
  const second = await claude.call("create_post", { title: "Two of two", idempotencyKey: "same" });
  expect(second.text).toMatch(/^A post with this idempotencyKey already exists, so no new one was created: post_/);
  expect(second.data.post.id).toBe(first.data.post.id);
});
