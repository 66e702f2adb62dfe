import { DEFAULT_POST_SORT, POST_SORTS, type PostSummaryJson } from "@stet/contract";
import { beforeEach, describe, expect, test } from "vitest";
import { encodeCursor } from "#domain/cursor";
import { closedAtEnd } from "#test/closed-at-end";
import { type Reading, readingOf } from "#test/delivery/reading";
import { type Writing, writingIn } from "#test/delivery/writing";
import { openTestServices, type Tenant } from "#test/services";

const services = closedAtEnd(await openTestServices());
let tenant: Tenant;
let read: Reading;
let write: Writing;

beforeEach(async () => {
  tenant = await services.makeTenant();
  read = readingOf(services, tenant);
  write = writingIn(services, tenant);
});

const titles = async (address: string): Promise<string[]> => (await read.json(address)).data.map((post: PostSummaryJson) => post.title);

async function walk(address: string): Promise<PostSummaryJson[]> {
  const seen: PostSummaryJson[] = [];
  let cursor: string | null = null;
  do {
    const page: { data: PostSummaryJson[]; pagination: { nextCursor: string | null; hasNext: boolean } } = await read.json(
      cursor === null ? address : `${address}&cursor=${cursor}`,
    );
    seen.push(...page.data);
    cursor = page.pagination.nextCursor;
    expect(page.pagination.hasNext).toBe(cursor !== null);
  } while (cursor !== null);
  return seen;
}

describe("a post", () => {
  test("has its taxonomy, authors and images embedded, with whole addresses", async () => {
    const image = await write.image("cover.png", { alt: "A cover" });
    const avatar = await write.image("face.png", { alt: "A face" });
    const author = await write.term("author", "Ada", { profile: { url: "https://ada.example", avatarMediaId: avatar.id } });
    const [news, tag] = [await write.term("category", "News"), await write.term("tag", "One")];
    const body = `# Hello\n\n![x](/media/${tenant.website.id}/${image.id}.gif)\n`;
    const terms = { categoryIds: [news.id], tagIds: [tag.id], authorIds: [author.id] };
    const made = await write.post("Title", {
      excerpt: "In short",
      body,
      coverMediaId: image.id,
      coverAlt: "Here a logo",
      featured: true,
      ...terms,
    });
    const { data } = await read.json("/blog/posts/title");
    expect(data).toMatchObject({
      id: made.id,
      slug: "title",
      title: "Title",
      excerpt: "In short",
      featured: true,
      coverImage: {
        id: image.id,
        url: `https://stet.test${image.url}`,
        alt: "Here a logo",
        width: 37,
        height: 21,
        blurhash: expect.any(String),
        dominantColor: expect.stringMatching(/^#[0-9a-f]{6}$/),
        srcset: null,
      },
      categories: [{ id: news.id, slug: "news", name: "News", description: "" }],
      tags: [{ id: tag.id, slug: "one", name: "One" }],
      authors: [{ id: author.id, name: "Ada", url: "https://ada.example", avatar: { id: avatar.id, alt: "A face" } }],
      readingMinutes: 1,
      publishedAt: "2026-11-15T09:00:00.000Z",
    });
    expect(data.body.headings).toEqual([{ id: "h-hello", depth: 1, text: "Hello" }]);
    expect(data.body.html).toContain(`src="https://stet.test${image.url}"`);
    expect(data.body.markdown).toBe(body.replace("](/media", "](https://stet.test/media"));
    expect(data).not.toHaveProperty("slugRedirectedFrom");
    const [listed] = (await read.json("/blog/posts")).data;
    const { body: _, ...summary } = data;
    expect(listed).toEqual(summary);
  });

  test("without an alt text of its own shows the image's; a deleted image, category or author is left out", async () => {
    const [image, avatar] = [await write.image("cover.png", { alt: "A cover" }), await write.image("face.png")];
    const [kept, gone] = [await write.term("author", "Ada", { profile: { avatarMediaId: avatar.id } }), await write.term("author", "Bob")];
    await write.post("Title", { coverMediaId: image.id, authorIds: [gone.id, kept.id] });
    expect((await read.json("/blog/posts/title")).data.coverImage.alt).toBe("A cover");
    await write.deleteTerm(gone);
    await write.deleteImage(image.id);
    await write.deleteImage(avatar.id);
    const { data } = await read.json("/blog/posts/title");
    expect(data.coverImage).toBeNull();
    expect(data.authors).toMatchObject([{ id: kept.id, avatar: null }]);
  });

  test("with a merged tag shows its target, once, at the first place, and keeps the order of the others", async () => {
    const [a, b, c] = [await write.term("tag", "A"), await write.term("tag", "B"), await write.term("tag", "C")];
    await write.post("Both", { tagIds: [c.id, a.id, b.id] });
    await write.post("Only the merged one", { tagIds: [c.id] });
    await write.merge(c, b);
    const names = async (slug: string) => (await read.json(`/blog/posts/${slug}`)).data.tags.map((tag: { name: string }) => tag.name);
    expect(await names("both")).toEqual(["B", "A"]);
    expect(await names("only-the-merged-one")).toEqual(["B"]);
  });

  test("?format=html or markdown sends only that form of the body; anything else is refused", async () => {
    await write.post("Title", { body: "Some *text*" });
    expect((await read.json("/blog/posts/title?format=html")).data.body).toEqual({ html: "<p>Some <em>text</em></p>\n", headings: [] });
    expect((await read.json("/blog/posts/title?format=markdown")).data.body).toEqual({ markdown: "Some *text*" });
    for (const format of ["pdf", "HTML", "", "html,markdown"])
      expect(await read.code(`/blog/posts/title?format=${format}`)).toBe("INVALID_PARAMETER");
  });

  test("answers Markdown with front matter to Accept: text/markdown, unless HTML is asked for by name", async () => {
    const author = await write.term("author", "Ada");
    await write.post('A "quoted": title', { body: "Some *text*", authorIds: [author.id] });
    const address = "/blog/posts/a-quoted-title";
    const answer = await read.read(address, { markdown: true });
    expect(answer).toMatchObject({ kind: "text", contentType: "text/markdown; charset=utf-8" });
    const text = await read.text(address, { markdown: true });
    expect(text).toMatch(/^---\ntitle: "A \\"quoted\\": title"\nid: "post_\w+"\nslug: "a-quoted-title"\nauthors: \["Ada"\]\n/);
    expect(text.endsWith("\n---\n\nSome *text*")).toBe(true);
    expect((await read.read(`${address}?format=html`, { markdown: true })).kind).toBe("json");
  });

  test("a renamed post still resolves under its old slugs, which say so; by its id it says nothing", async () => {
    let post = await write.post("First");
    post = await write.revise(post, { slug: "second" });
    post = await write.revise(post, { slug: "third" });
    for (const slug of ["first", "second"]) {
      expect((await read.json(`/blog/posts/${slug}`)).data).toMatchObject({ id: post.id, slug: "third", slugRedirectedFrom: slug });
    }
    expect((await read.json("/blog/posts/third")).data).not.toHaveProperty("slugRedirectedFrom");
    expect((await read.json(`/blog/posts/${post.id}`)).data).not.toHaveProperty("slugRedirectedFrom");
    expect(await read.text("/blog/posts/first", { markdown: true })).toContain('slugRedirectedFrom: "first"');
  });

  test("is not found by the slug of a rename that is not live, nor while it is a draft, unpublished or in the trash", async () => {
    let post = await write.post("Live");
    post = await write.edit(post, { slug: "not-yet-live" });
    expect(await read.code("/blog/posts/not-yet-live")).toBe("NOT_FOUND");
    expect(await read.code("/blog/posts/live")).toBe("answered");
    await write.draft("Draft");
    expect(await read.code("/blog/posts/draft")).toBe("NOT_FOUND");
    post = await write.unpublish(post);
    for (const name of ["live", post.id]) expect(await read.code(`/blog/posts/${name}`)).toBe("NOT_FOUND");
    await write.trash(post);
    for (const name of ["live", post.id]) expect(await read.code(`/blog/posts/${name}`)).toBe("NOT_FOUND");
  });

  test.each(["Nothing", "a_b", "post_1", "%00", "%F0%9F%98%80", "..", "a--b", `${"a".repeat(97)}`, "post_01h455vb4pex5vsknk084sn02q"])(
    "named %s, which nothing is called, is not found",
    async (name) => {
      expect(await read.code(`/blog/posts/${name === ".." ? "%2E%2E%20" : name}`)).toBe("NOT_FOUND");
    },
  );

  test("of another website is not found, neither by slug nor by id", async () => {
    const other = await services.makeTenant();
    const post = await writingIn(services, other).post("Theirs");
    for (const name of ["theirs", post.id]) expect(await read.code(`/blog/posts/${name}`)).toBe("NOT_FOUND");
    expect(await titles("/blog/posts")).toEqual([]);
  });
});

describe("the list of posts", () => {
  test("comes newest published first, 25 a page, without bodies", async () => {
    for (let n = 0; n < 26; n++)
      await write.post(`Post ${n}`, { publishedAt: `2026-01-${String(n + 1).padStart(2, "0")}T00:00:00.000Z`, body: "Body" });
    const page = await read.json("/blog/posts");
    expect(page.data).toHaveLength(25);
    expect(page.data[0]).toMatchObject({ title: "Post 25" });
    expect(page.data[0]).not.toHaveProperty("body");
    expect(page.pagination).toMatchObject({ hasNext: true, limit: 25 });
    const rest = await read.json(`/blog/posts?cursor=${page.pagination.nextCursor}`);
    expect(rest.data.map((post: PostSummaryJson) => post.title)).toEqual(["Post 0"]);
    expect(rest.pagination).toEqual({ hasNext: false, nextCursor: null, limit: 25 });
  });

  test.each(POST_SORTS)("paged by %s, over equal titles and times, gives each post once and in order", async (sort) => {
    for (let n = 0; n < 14; n++) {
      // The clock stands still for pairs of posts, and titles repeat in other letters.
      if (n % 2 === 0) services.pass(1);
      await write.post(n % 3 === 0 ? "Ärger" : n % 3 === 1 ? "arger" : `Title ${n % 4}`, { slug: `post-${n}` });
    }
    const all = await walk(`/blog/posts?sort=${sort}&limit=100`);
    expect(new Set(all.map((post) => post.id)).size).toBe(14);
    for (const limit of [1, 3, 5]) expect(await walk(`/blog/posts?sort=${sort}&limit=${limit}`)).toEqual(all);
    const opposite = sort.startsWith("-") ? sort.slice(1) : `-${sort}`;
    expect(await walk(`/blog/posts?sort=${opposite}&limit=4`)).toEqual(all.toReversed());
    if (sort === DEFAULT_POST_SORT) expect(await walk("/blog/posts?limit=4")).toEqual(all);
  });

  test("is narrowed by category, tag and author, each by slug, old slug or id, and by featured; all at once", async () => {
    let news = await write.term("category", "News");
    const [tag, author] = [await write.term("tag", "Tag"), await write.term("author", "Ada")];
    await write.post("All", { categoryIds: [news.id], tagIds: [tag.id], authorIds: [author.id], featured: true });
    await write.post("Two", { categoryIds: [news.id], tagIds: [tag.id] });
    await write.post("None", {});
    news = await write.editTerm(news, { slug: "latest" });
    for (const name of ["news", "latest", news.id]) expect(await titles(`/blog/posts?sort=title&category=${name}`)).toEqual(["All", "Two"]);
    expect(await titles(`/blog/posts?category=news&author=${author.id}`)).toEqual(["All"]);
    expect(await titles("/blog/posts?sort=title&tag=tag")).toEqual(["All", "Two"]);
    expect(await titles("/blog/posts?category=news&tag=tag&featured=false")).toEqual(["Two"]);
    expect(await titles("/blog/posts?featured=true")).toEqual(["All"]);
    expect(await titles("/blog/posts?sort=-title&featured=false")).toEqual(["Two", "None"]);
  });

  test("narrowed by a merged tag, under any of its names, has the posts of both, each once", async () => {
    const [source, target] = [await write.term("tag", "Source"), await write.term("tag", "Target")];
    await write.post("A", { tagIds: [source.id] });
    await write.post("B", { tagIds: [target.id] });
    await write.post("C", { tagIds: [source.id, target.id] });
    await write.merge(source, target);
    for (const name of ["source", "target", source.id, target.id]) {
      expect((await walk(`/blog/posts?sort=title&limit=1&tag=${name}`)).map((post) => post.title)).toEqual(["A", "B", "C"]);
    }
  });

  test("narrowed by a name that nothing has is empty, not an error; an empty name is refused", async () => {
    await write.post("Post");
    for (const name of ["nothing", "No Slug", "cat_01h455vb4pex5vsknk084sn02q", "%00", "%ED%A0%80", "%F0%9F%98%80"]) {
      expect(await read.json(`/blog/posts?category=${name}`)).toEqual({
        data: [],
        pagination: { hasNext: false, nextCursor: null, limit: 25 },
      });
    }
    for (const name of ["category", "tag", "author"]) expect(await read.code(`/blog/posts?${name}=`)).toBe("INVALID_PARAMETER");
  });

  test.each(["0", "101", "1.5", "", "1e2", "%205", "5%20", "-1", "+5", "05", "abc", "٥", "1000", "0x10", "NaN", "null"])(
    "limit=%s is refused, not clamped",
    async (limit) => {
      expect(await read.code(`/blog/posts?limit=${limit}`)).toBe("INVALID_LIMIT");
    },
  );

  test("limits from 1 to 100 are applied and said", async () => {
    for (const limit of [1, 99, 100]) expect((await read.json(`/blog/posts?limit=${limit}`)).pagination.limit).toBe(limit);
  });

  test.each(["", "date", "PublishedAt", "-", "publishedAt,title", "name", "editedAt", "+title", "__proto__"])(
    "sort=%s is not in the closed list",
    async (sort) => {
      expect(await read.code(`/blog/posts?sort=${encodeURIComponent(sort)}`)).toBe("UNSUPPORTED_SORT");
    },
  );

  test.each(["maybe", "", "1", "TRUE", "yes"])("featured=%s is refused", async (value) => {
    expect(await read.code(`/blog/posts?featured=${value}`)).toBe("INVALID_PARAMETER");
  });

  test("a cursor that was altered, or belongs to another sort or list, is refused; one of a newer encoding by its own code", async () => {
    for (const title of ["A", "B"]) await write.post(title);
    const { nextCursor } = (await read.json("/blog/posts?limit=1&sort=title")).pagination;
    expect(await read.code(`/blog/posts?sort=title&cursor=${nextCursor}`)).toBe("answered");
    for (const sort of ["-title", "publishedAt"])
      expect(await read.code(`/blog/posts?sort=${sort}&cursor=${nextCursor}`)).toBe("INVALID_CURSOR");
    for (const cursor of ["", "x", `${nextCursor}A`, nextCursor.slice(1)]) {
      expect(await read.code(`/blog/posts?sort=title&cursor=${cursor}`)).toBe("INVALID_CURSOR");
    }
    const ofMedia = encodeCursor("-createdAt", { key: "2026-11-15T09:00:00.000Z", id: "media_01h455vb4pex5vsknk084sn02q" });
    expect(await read.code(`/blog/posts?sort=-createdAt&cursor=${ofMedia}`)).toBe("INVALID_CURSOR");
    const newer = Buffer.from('{"v":2,"s":"title"}').toString("base64url");
    expect(await read.code(`/blog/posts?sort=title&cursor=${newer}`)).toBe("UNSUPPORTED_CURSOR_VERSION");
  });

  test("a cursor with a date that only some databases know is refused or answered, never a fault", async () => {
    for (const key of ["0000-01-01T00:00:00.000Z", "0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"]) {
      const cursor = encodeCursor("publishedAt", { key, id: "post_01h455vb4pex5vsknk084sn02q" });
      expect(["answered", "INVALID_CURSOR"]).toContain(await read.code(`/blog/posts?sort=publishedAt&cursor=${cursor}`));
    }
  });

  test("the filter may change while paging: the cursor only says how far the order was read", async () => {
    for (const title of ["A", "B", "C", "D"]) await write.post(title, { featured: title === "C" });
    const { nextCursor } = (await read.json("/blog/posts?limit=2&sort=title")).pagination;
    expect(await titles(`/blog/posts?sort=title&featured=true&cursor=${nextCursor}`)).toEqual(["C"]);
  });

  test("posts that come and go while paging neither repeat nor skip the others", async () => {
    const made = [];
    for (let n = 0; n < 6; n++) made.push(await write.post(`P${n}`, { publishedAt: `2026-01-0${n + 1}T00:00:00.000Z` }));
    const first = await read.json("/blog/posts?limit=2");
    await write.post("Newer", { publishedAt: "2026-02-01T00:00:00.000Z" });
    await write.unpublish(made[4]!);
    await write.unpublish(made[2]!);
    expect(await titles(`/blog/posts?limit=9&cursor=${first.pagination.nextCursor}`)).toEqual(["P3", "P1", "P0"]);
  });
});
