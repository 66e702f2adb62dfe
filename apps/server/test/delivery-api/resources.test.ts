import { beforeAll, describe, expect, test } from "vitest";
import { registry } from "#operations/registry";
import { closedAtEnd } from "#test/closed-at-end";
import { type Blog, openService } from "./service.ts";
import { walk } from "./walk.ts";

const service = closedAtEnd(await openService());

const pass = (millis: number) => service.services.pass(millis);

describe.each([
  ["category", "categories", "categoryIds"],
  ["tag", "tags", "tagIds"],
  ["author", "authors", "authorIds"],
] as const)("%s: GET /blog/%s and /{slug}", (kind, plural, field) => {
  let blog: Blog;
  beforeAll(async () => {
    blog = await service.blog();
    const { write } = blog;
    const terms = [];
    for (const name of ["Zebra", "apple", "Éclair", "Unused", "Only in a draft"]) terms.push(await write.term(kind, name));
    const [zebra, apple, eclair, , draft] = terms.map((term) => term.id);
    await write.post("One", { [field]: [zebra, apple] });
    await write.post("Two", { [field]: [apple, eclair] });
    await write.draft("Draft", { [field]: [draft] });
    // A working copy that is not live shows nothing.
    await write.edit(await write.post("Three", { [field]: [zebra] }), { [field]: [draft] });
  });

  test("those that have a published post, with postCount, by name", async () => {
    const { data, pagination } = (await blog.get(`/blog/${plural}?sort=name`)).json;
    expect(data.map((term: { name: string; postCount: number }) => [term.name, term.postCount])).toEqual([
      ["apple", 2],
      ["Éclair", 1],
      ["Zebra", 2],
    ]);
    expect(pagination).toEqual({ hasNext: false, nextCursor: null, limit: 25 });
    expect((await blog.get(`/blog/${plural}`)).text).toBe((await blog.get(`/blog/${plural}?sort=name`)).text);
    expect((await blog.get(`/blog/${plural}?sort=-name`)).code).toBe("UNSUPPORTED_SORT");
  });

  test("cursor paging as for posts", async () => {
    expect((await walk(blog, `/blog/${plural}?limit=1`)).map((term) => term["slug"])).toEqual(["apple", "eclair", "zebra"]);
    const { nextCursor } = (await blog.get(`/blog/${plural}?limit=1`)).json.pagination;
    expect((await blog.get(`/blog/posts?cursor=${nextCursor}`)).code).toBe("INVALID_CURSOR");
    expect((await blog.get(`/blog/${plural}?limit=101`)).code).toBe("INVALID_LIMIT");
  });

  test("one by slug is {data}; one without a published post, of another kind or of another website is 404", async () => {
    expect((await blog.get(`/blog/${plural}/zebra`)).json.data).toMatchObject({ slug: "zebra", name: "Zebra", postCount: 2 });
    const other = await service.blog();
    for (const slug of ["unused", "only-in-a-draft", "nothing"]) expect((await blog.get(`/blog/${plural}/${slug}`)).code).toBe("NOT_FOUND");
    expect((await other.get(`/blog/${plural}/zebra`)).code).toBe("NOT_FOUND");
  });

  test("renamed it keeps its old slug as a redirect; posts show the new name at once and keep their updatedAt", async () => {
    const fresh = await service.blog();
    const term = await fresh.write.term(kind, "Before");
    await fresh.write.post("Post", { [field]: [term.id] });
    const before = (await fresh.get("/blog/posts/post")).json.data;
    pass(60_000);
    await fresh.write.editTerm(term, { name: "After", slug: "after" });
    const { data } = (await fresh.get(`/blog/${plural}/before`)).json;
    expect([data.slug, data.slugRedirectedFrom]).toEqual(["after", "before"]);
    const now = (await fresh.get("/blog/posts/post")).json.data;
    expect([now[plural][0].name, now.updatedAt]).toEqual(["After", before.updatedAt]);
    expect((await fresh.get(`/blog/posts?${kind}=before`)).json.data).toHaveLength(1);
  });
});

describe("GET /blog/media and /blog/media/{id}", () => {
  test("images that a published post uses, and no others", async () => {
    const blog = await service.blog();
    const { write } = blog;
    const [cover, inBody, unused, draft] = [
      await write.image("cover.png"),
      await write.image("body.png"),
      await write.image("unused.png"),
      await write.image("draft.png"),
    ];
    const post = await write.post("Images", { coverMediaId: cover.id, body: `![](${inBody.url})` });
    await write.draft("Draft", { coverMediaId: draft.id });
    await write.edit(post, { coverMediaId: unused.id });
    const listed = (await walk(blog, "/blog/media?limit=1")).map((image) => image["filename"]);
    expect(listed.toSorted()).toEqual(["body.png", "cover.png"]);
    const one = (await blog.get(`/blog/media/${cover.id}`)).json.data;
    expect(one).toMatchObject({ id: cover.id, width: 37, height: 21, contentType: "image/gif", url: expect.stringMatching(/^https:\/\//) });
    for (const { id } of [unused, draft]) expect((await blog.get(`/blog/media/${id}`)).code).toBe("NOT_FOUND");
    expect((await (await service.blog()).get(`/blog/media/${cover.id}`)).code).toBe("NOT_FOUND");
    await write.unpublish(
      await write.edit(
        await service.services.call(registry.get_post, blog.tenant.actor, { websiteId: blog.tenant.website.id, postId: post.id }),
        {},
      ),
    );
    expect((await blog.get("/blog/media")).json.data).toEqual([]);
  });
});

describe("GET /blog/search?q=", () => {
  let blog: Blog;
  beforeAll(async () => {
    blog = await service.blog();
    for (const [title, excerpt, body] of [
      ["Baking bread", "", "Flour and water."],
      ["Rivers", "How bread floats", "Text."],
      ["Mountains", "", "Somebody eats bread <b>there</b>."],
      ["Café crème", "", "Über alles <script>alert(1)</script>"],
    ]) {
      pass(1_000);
      await blog.write.post(title!, { excerpt, body });
    }
    await blog.write.draft("Bread in a draft", { body: "bread bread bread" });
  });
  const found = async (q: string) =>
    (await blog.get(`/blog/search?q=${encodeURIComponent(q)}`)).json.data.map((hit: { post: { title: string } }) => hit.post.title);

  test("full-text search is available on paid plans only: 403 PLAN_REQUIRED", async () => {
    const free = await service.blog({ plan: "free" });
    const answer = await free.get("/blog/search?q=bread");
    expect([answer.status, answer.code]).toEqual([403, "PLAN_REQUIRED"]);
    for (const plan of ["starter", "team"] as const)
      expect((await (await service.blog({ plan })).get("/blog/search?q=bread")).status).toBe(200);
  });

  test("ranked: title before excerpt before body", async () => {
    expect(await found("bread")).toEqual(["Baking bread", "Rivers", "Mountains"]);
  });

  test("accent-blind, prefix and small-typo tolerant", async () => {
    expect(await found("cafe creme")).toEqual(["Café crème"]);
    expect(await found("uber")).toEqual(["Café crème"]);
    expect(await found("mount")).toEqual(["Mountains"]);
    expect(await found("montains")).toEqual(["Mountains"]);
  });

  test("highlighted: HTML that holds only <mark>", async () => {
    const { data } = (await blog.get("/blog/search?q=bread")).json;
    expect(data[0].highlights.title).toBe("Baking <mark>bread</mark>");
    const script = (await blog.get("/blog/search?q=alles")).json.data[0].highlights;
    for (const html of [
      script.title,
      script.excerpt,
      ...data.flatMap((hit: { highlights: Record<string, string> }) => Object.values(hit.highlights)),
    ]) {
      expect(html.replaceAll(/<\/?mark>/g, "")).not.toMatch(/[<>]/);
    }
  });

  test("cursor paging", async () => {
    expect((await walk(blog, "/blog/search?q=bread&limit=1")).map((hit) => (hit["post"] as { title: string }).title)).toEqual([
      "Baking bread",
      "Rivers",
      "Mountains",
    ]);
  });

  test("without words, with too many, or with any syntax at all: an answer or 400, never a fault", async () => {
    for (const q of ["", "   ", "x".repeat(201)])
      expect((await blog.get(`/blog/search?q=${encodeURIComponent(q)}`)).code).toBe("INVALID_PARAMETER");
    expect((await blog.get("/blog/search")).code).toBe("INVALID_PARAMETER");
    for (const q of [
      '"',
      "'",
      "-",
      "or",
      "and not",
      "a:*",
      "!bread & (",
      "\\",
      "%",
      "_",
      "<->",
      "bread:A",
      "😀",
      "\u0301",
      "日本",
      "bread -bread",
      "()",
      "{}",
      "$where",
      "\u200b",
    ]) {
      expect([q, (await blog.get(`/blog/search?q=${encodeURIComponent(q)}`)).status]).toEqual([q, 200]);
    }
  });
});
