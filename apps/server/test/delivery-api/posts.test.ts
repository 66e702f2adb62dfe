import { POST_SORTS } from "@stet/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { closedAtEnd } from "#test/closed-at-end";
import type { Answer } from "./request.ts";
import { type Blog, openService } from "./service.ts";
import { walk } from "./walk.ts";

const service = closedAtEnd(await openService());

const titles = (rows: readonly { title: string }[]): string[] => rows.map((row) => row.title);

describe("GET /blog/posts", () => {
  let blog: Blog;
  beforeAll(async () => {
    blog = await service.blog();
    for (let n = 0; n < 30; n++) {
      // Three at a time share every moment, and all share a title with others: only the id tells them apart.
      if (n % 3 === 0) service.services.pass(1);
      await blog.write.post(["Same", "sÁme", "Other", "other ", "Last"][n % 5]!, { slug: `post-${n}`, body: `Body ${n}` });
    }
  });

  test("returns a page of published posts for the website the key belongs to", async () => {
    const other = await service.blog();
    await other.write.post("Elsewhere");
    expect(titles((await other.get("/blog/posts")).json.data)).toEqual(["Elsewhere"]);
    expect((await blog.get("/blog/posts?limit=100")).json.data).toHaveLength(30);
  });

  test("limit is 25 by default and 100 at most; the page size applied is said", async () => {
    const page = (await blog.get("/blog/posts")).json;
    expect([page.data.length, page.pagination.limit]).toEqual([25, 25]);
    expect((await blog.get("/blog/posts?limit=100")).json.pagination.limit).toBe(100);
    expect((await blog.get("/blog/posts?limit=1")).json.data).toHaveLength(1);
  });

  test("a limit outside the allowed range gives 400; it is not clamped", async () => {
    for (const limit of ["0", "-1", "101", "1000000", "99999999999999999999", "1.5", "1e1", "", "ten", "%2010", "05", "+5", "0x10", "٣"]) {
      const answer = await blog.get(`/blog/posts?limit=${encodeURI(limit)}`);
      expect([limit, answer.status, answer.code]).toEqual([limit, 400, "INVALID_LIMIT"]);
    }
  });

  test("bodies are omitted from items in lists", async () => {
    for (const post of (await blog.get("/blog/posts")).json.data) expect(post).not.toHaveProperty("body");
  });

  test("newest published first is the default order", async () => {
    expect((await blog.get("/blog/posts")).text).toBe((await blog.get("/blog/posts?sort=-publishedAt")).text);
  });

  test("the sort values are a closed list; any other value gives 400 with code UNSUPPORTED_SORT", async () => {
    for (const sort of POST_SORTS) expect((await blog.get(`/blog/posts?sort=${sort}`)).status).toBe(200);
    for (const sort of ["", "-", "id", "slug", "views", "PublishedAt", "+title", "title,-title", "--title", "title%20", "constructor"]) {
      const answer = await blog.get(`/blog/posts?sort=${sort}`);
      expect([sort, answer.status, answer.code]).toEqual([sort, 400, "UNSUPPORTED_SORT"]);
    }
  });

  test.each(POST_SORTS)(
    "sort=%s: repeating the request with nextCursor until it is falsy reads every post once, whatever the limit",
    async (sort) => {
      const whole = (await blog.get(`/blog/posts?limit=100&sort=${sort}`)).json;
      expect(whole.pagination).toEqual({ hasNext: false, nextCursor: null, limit: 100 });
      const ids = whole.data.map((post: { id: string }) => post.id);
      expect(new Set(ids).size).toBe(30);
      for (const limit of [1, 7, 29])
        expect((await walk(blog, `/blog/posts?limit=${limit}&sort=${sort}`)).map((post) => post["id"])).toEqual(ids);
      const field = sort.replace("-", "");
      const fold = (text: string) => text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
      const values = whole.data.map((post: Record<string, string>) => (field === "title" ? fold(post["title"]!) : post[field]!));
      expect(values).toEqual(sort.startsWith("-") ? values.toSorted().toReversed() : values.toSorted());
    },
  );

  test("hasNext is true when another page exists, and nextCursor is null when there is none", async () => {
    const first = (await blog.get("/blog/posts?limit=29")).json.pagination;
    expect(first).toMatchObject({ hasNext: true, nextCursor: expect.any(String), limit: 29 });
    expect((await blog.get(`/blog/posts?limit=29&cursor=${first.nextCursor}`)).json.pagination).toMatchObject({
      hasNext: false,
      nextCursor: null,
    });
    expect((await blog.get("/blog/posts?limit=30")).json.pagination).toMatchObject({ hasNext: false, nextCursor: null });
  });

  test("the cursor is the base64url encoding of a small versioned object: the sort, the sort value of the last row seen and its id", async () => {
    const page = (await blog.get("/blog/posts?limit=3&sort=createdAt")).json;
    const last = page.data[2];
    const held = JSON.parse(Buffer.from(page.pagination.nextCursor, "base64url").toString());
    expect(held).toEqual({ v: 1, s: "createdAt", k: last.createdAt, id: last.id });
    expect(page.pagination.nextCursor).toMatch(/^[\w-]+$/);
  });

  test("the page-number parameter (?page=) does not exist: 400 UNKNOWN_PARAMETER says that paging is by cursor", async () => {
    const answer = await blog.get("/blog/posts?page=2");
    expect([answer.status, answer.code]).toEqual([400, "UNKNOWN_PARAMETER"]);
    expect(answer.json.detail).toContain("cursor");
  });

  test("a repeated query parameter: 400", async () => {
    for (const query of ["limit=5&limit=5", "sort=title&limit=5&sort=-title", "cursor=a&cursor=b", "limit=5&%6cimit=6"]) {
      expect([query, (await blog.get(`/blog/posts?${query}`)).code]).toEqual([query, "UNKNOWN_PARAMETER"]);
    }
  });

  test("posts created, changed and removed during paging cause no repeats and no skips", async () => {
    const busy = await service.blog();
    const posts = [];
    for (let n = 0; n < 12; n++) {
      service.services.pass(1_000);
      posts.push(await busy.write.post(`Post ${n}`));
    }
    const seen: string[] = [];
    let next: string | null = null;
    let turn = 0;
    do {
      const page: Answer = await busy.get(`/blog/posts?limit=2${next ? `&cursor=${next}` : ""}`);
      const { data, pagination } = page.json;
      seen.push(...titles(data));
      next = pagination.nextCursor;
      service.services.pass(1_000);
      await busy.write.post(`New ${turn}`);
      // The page that was just read loses its last row, and one further on: neither moves the others.
      if (turn === 1) await busy.write.unpublish(posts[8]!);
      if (turn === 2) await busy.write.trash(posts[1]!);
      turn += 1;
    } while (next);
    expect(seen).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 0].map((n) => `Post ${n}`));
  });
});

describe("filters", () => {
  test("category, tag and author take a slug or an id, featured takes true or false; together they narrow", async () => {
    const blog = await service.blog();
    const { write } = blog;
    const [news, notes] = [await write.term("category", "News"), await write.term("category", "Notes")];
    const [red, ann] = [await write.term("tag", "Red"), await write.term("author", "Ann")];
    await write.post("All", { categoryIds: [news.id, notes.id], tagIds: [red.id], authorIds: [ann.id], featured: true });
    service.services.pass(1_000);
    await write.post("Some", { categoryIds: [news.id], authorIds: [ann.id] });
    const found = async (query: string) => titles((await blog.get(`/blog/posts?sort=createdAt&${query}`)).json.data);
    expect(await found("category=news")).toEqual(["All", "Some"]);
    expect(await found(`category=${notes.id}`)).toEqual(["All"]);
    expect(await found(`author=ann&tag=${red.id}&category=news&featured=true`)).toEqual(["All"]);
    expect(await found("featured=false")).toEqual(["Some"]);
    expect(await found("tag=nothing")).toEqual([]);
    expect((await blog.get("/blog/posts?featured=yes")).code).toBe("INVALID_PARAMETER");
    expect((await blog.get("/blog/posts?category=")).code).toBe("INVALID_PARAMETER");
  });
});

describe("cursors", () => {
  let blog: Blog;
  let good: string;
  beforeAll(async () => {
    blog = await service.blog();
    await blog.write.post("One");
    service.services.pass(1);
    await blog.write.post("Two");
    good = (await blog.get("/blog/posts?limit=1")).json.pagination.nextCursor;
  });
  const encode = (value: unknown) => Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");
  const held = () => JSON.parse(Buffer.from(good, "base64url").toString());

  test("must be passed back exactly as received: an altered, cut or padded one is 400 INVALID_CURSOR", async () => {
    for (const cursor of [
      "",
      "x",
      "null",
      good.slice(0, -1),
      good.slice(4),
      `${good}A`,
      `${good}=`,
      `%20${good}`,
      good.toUpperCase(),
      encode("[]"),
      encode("null"),
      encode("{}"),
      encode({ ...held(), k: 5 }),
      encode({ ...held(), id: null }),
      encode({ ...held(), v: 0 }),
      encode({ ...held(), v: "1" }),
      encode({ ...held(), k: "yesterday" }),
      encode({ ...held(), id: "cat_01h455vb4pex5vsknk084sn02q" }),
    ]) {
      const answer = await blog.get(`/blog/posts?cursor=${cursor}`);
      expect([cursor, answer.status, answer.code]).toEqual([cursor, 400, "INVALID_CURSOR"]);
    }
  });

  test("of a newer encoding version are refused, not misread: 400 UNSUPPORTED_CURSOR_VERSION", async () => {
    for (const v of [2, 3, 1_000_000]) {
      const answer = await blog.get(`/blog/posts?cursor=${encode({ ...held(), v })}`);
      expect([v, answer.status, answer.code]).toEqual([v, 400, "UNSUPPORTED_CURSOR_VERSION"]);
    }
    // Whatever else a newer version holds.
    expect((await blog.get(`/blog/posts?cursor=${encode({ v: 2, position: [1, 2] })}`)).code).toBe("UNSUPPORTED_CURSOR_VERSION");
  });

  test("used with another sort: 400 INVALID_CURSOR", async () => {
    for (const sort of POST_SORTS.filter((other) => other !== "-publishedAt")) {
      expect([sort, (await blog.get(`/blog/posts?sort=${sort}&cursor=${good}`)).code]).toEqual([sort, "INVALID_CURSOR"]);
    }
    expect((await blog.get(`/blog/posts?cursor=${good}`)).json.data).toHaveLength(1);
  });
});

describe("GET /blog/posts/{slugOrId}", () => {
  test("answers {data} with the public fields and the body, by slug and by id alike", async () => {
    const blog = await service.blog();
    const post = await blog.write.post("Fields", { body: "## Head\n\nText." });
    const bySlug = await blog.get("/blog/posts/fields");
    expect((await blog.get(`/blog/posts/${post.id}`)).text).toBe(bySlug.text);
    expect(Object.keys(bySlug.json)).toEqual(["data"]);
    expect(Object.keys(bySlug.json.data).toSorted()).toEqual(
      "authors body categories coverImage createdAt excerpt featured fields id publishedAt readingMinutes seo slug tags title updatedAt url wordCount".split(
        " ",
      ),
    );
    expect(bySlug.json.data.body).toEqual({
      markdown: "## Head\n\nText.",
      html: expect.stringContaining("<p>Text.</p>"),
      headings: [{ id: "h-head", depth: 2, text: "Head" }],
    });
    for (const at of ["publishedAt", "createdAt", "updatedAt"])
      expect(bySlug.json.data[at]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test("?format=html|markdown sends only that form of the body", async () => {
    const blog = await service.blog();
    await blog.write.post("Forms", { body: "# One\n" });
    expect(Object.keys((await blog.get("/blog/posts/forms?format=markdown")).json.data.body)).toEqual(["markdown"]);
    expect((await blog.get("/blog/posts/forms?format=html")).json.data.body).not.toHaveProperty("markdown");
    expect((await blog.get("/blog/posts/forms?format=pdf")).code).toBe("INVALID_PARAMETER");
  });

  test("a renamed post still resolves under its old slug; slugRedirectedFrom is present only then", async () => {
    const blog = await service.blog();
    let post = await blog.write.post("First name");
    for (const slug of ["second-name", "third-name"]) post = await blog.write.revise(post, { slug });
    for (const old of ["first-name", "second-name"]) {
      const { data } = (await blog.get(`/blog/posts/${old}`)).json;
      expect([data.slug, data.slugRedirectedFrom, data.id]).toEqual(["third-name", old, post.id]);
    }
    for (const now of ["third-name", post.id]) {
      expect((await blog.get(`/blog/posts/${now}`)).json.data).not.toHaveProperty("slugRedirectedFrom");
    }
  });

  test("what does not exist is 404 NOT_FOUND, and so is what belongs to another tenant, never 403", async () => {
    const [blog, other] = [await service.blog(), await service.blog()];
    const theirs = await other.write.post("Theirs");
    for (const name of ["nothing", "post_01h455vb4pex5vsknk084sn02q", "theirs", theirs.id, "No_Slug", "%C3%A4", "a".repeat(2_000)]) {
      const answer = await blog.get(`/blog/posts/${name}`);
      expect([name, answer.status, answer.code]).toEqual([name, 404, "NOT_FOUND"]);
    }
  });

  test("updatedAt is the last change of the live copy, publishedAt the first publication unless the writer sets it", async () => {
    const blog = await service.blog();
    let post = await blog.write.post("Times");
    const first = (await blog.get("/blog/posts/times")).json.data;
    service.services.pass(60_000);
    post = await blog.write.edit(post, { title: "Times, edited" });
    expect((await blog.get("/blog/posts/times")).json.data).toEqual(first);
    service.services.pass(60_000);
    await blog.write.update(post);
    const second = (await blog.get("/blog/posts/times")).json.data;
    expect(Date.parse(second.updatedAt) - Date.parse(first.updatedAt)).toBe(120_000);
    expect([second.publishedAt, second.createdAt, second.title]).toEqual([first.publishedAt, first.createdAt, "Times, edited"]);
    await blog.write.post("Backdated", { publishedAt: "2020-02-29T12:34:56.789Z" });
    expect((await blog.get("/blog/posts/backdated")).json.data.publishedAt).toBe("2020-02-29T12:34:56.789Z");
  });
});
