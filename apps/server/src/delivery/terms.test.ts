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

const counted = async (address: string) =>
  (await read.json(address)).data.map((term: { name: string; postCount: number }) => [term.name, term.postCount]);

const KINDS = [
  ["category", "categories", "categoryIds"],
  ["tag", "tags", "tagIds"],
  ["author", "authors", "authorIds"],
] as const;

describe.each(KINDS)("each %s", (kind, plural, field) => {
  test("that a published post shows is listed by name, with how many do; drafts and working copies count for nothing", async () => {
    const [b, a, unused] = [await write.term(kind, "b"), await write.term(kind, "Á"), await write.term(kind, "c")];
    const post = await write.post("One", { [field]: [a.id, b.id] });
    await write.post("Two", { [field]: [b.id] });
    await write.draft("Draft", { [field]: [a.id, unused.id] });
    await write.edit(post, { [field]: [unused.id] });
    expect(await counted(`/blog/${plural}`)).toEqual([
      ["Á", 1],
      ["b", 2],
    ]);
    expect(await counted(`/blog/${plural}?sort=name`)).toHaveLength(2);
    expect((await read.json(`/blog/${plural}/b`)).data).toMatchObject({ id: b.id, slug: "b", postCount: 2 });
    for (const name of ["c", unused.id, "nothing", "N%00", "post_01h455vb4pex5vsknk084sn02q"]) {
      expect(await read.code(`/blog/${plural}/${name}`)).toBe("NOT_FOUND");
    }
  });

  test("comes once, whatever the page size, also among equal names", async () => {
    const made = [];
    for (let n = 0; n < 7; n++) made.push(await write.term(kind, n % 2 ? "Same" : "sáme"));
    await write.post("Post", { [field]: made.map((term) => term.id) });
    const expected = made.map((term) => term.id).toSorted();
    for (const limit of [1, 2, 7, 100]) {
      const seen: string[] = [];
      let cursor: string | null = "";
      while (cursor !== null) {
        const page: { data: { id: string }[]; pagination: { nextCursor: string | null } } = await read.json(
          `/blog/${plural}?limit=${limit}${cursor && `&cursor=${cursor}`}`,
        );
        seen.push(...page.data.map((term) => term.id));
        cursor = page.pagination.nextCursor;
      }
      expect(seen).toEqual(expected);
    }
  });

  test("is found under its old slugs and its id; old slugs say so", async () => {
    let term = await write.term(kind, "First");
    await write.post("Post", { [field]: [term.id] });
    term = await write.editTerm(term, { slug: "second" });
    expect((await read.json(`/blog/${plural}/first`)).data).toMatchObject({ id: term.id, slug: "second", slugRedirectedFrom: "first" });
    for (const name of ["second", term.id])
      expect((await read.json(`/blog/${plural}/${name}`)).data).not.toHaveProperty("slugRedirectedFrom");
  });

  test("tells its former slugs, and those of what was merged into it, until another one has them", async () => {
    let [term, other] = [await write.term(kind, "First"), await write.term(kind, "Other")];
    await write.post("Post", { [field]: [term.id] });
    const former = async () => (await read.json(`/blog/${plural}`)).data.map((each: { formerSlugs: string[] }) => each.formerSlugs);
    expect(await former()).toEqual([[]]);
    term = await write.editTerm(term, { slug: "second" });
    term = await write.editTerm(term, { slug: "third" });
    other = await write.editTerm(other, { slug: "another" });
    await write.merge(other, term);
    expect(await former()).toEqual([["another", "first", "other", "second"]]);
    // What led here becomes its own slug, and its slug of before leads here.
    await write.editTerm(term, { slug: "other" });
    expect(await former()).toEqual([["another", "first", "second", "third"]]);
    for (const slug of (await former())[0]) expect((await read.json(`/blog/${plural}/${slug}`)).data).toMatchObject({ slug: "other" });
    expect((await read.json(`/blog/${plural}/other`)).data.formerSlugs).toEqual((await former())[0]);
  });

  test("lists only know their own cursors and their one sort", async () => {
    expect(await read.code(`/blog/${plural}?sort=-name`)).toBe("UNSUPPORTED_SORT");
    expect(await read.code(`/blog/${plural}?sort=`)).toBe("UNSUPPORTED_SORT");
    expect(await read.code(`/blog/${plural}?limit=0`)).toBe("INVALID_LIMIT");
    const prefix = { category: "tag", tag: "author", author: "cat" }[kind];
    const other = encodeCursor("name", { key: "a", id: `${prefix}_01h455vb4pex5vsknk084sn02q` });
    expect(await read.code(`/blog/${plural}?cursor=${other}`)).toBe("INVALID_CURSOR");
    const posts = encodeCursor("title", { key: "a", id: "post_01h455vb4pex5vsknk084sn02q" });
    expect(await read.code(`/blog/${plural}?cursor=${posts}`)).toBe("INVALID_CURSOR");
  });
});

test("merged terms lead to the target, which counts the posts of both, each once", async () => {
  const [source, older, target] = [await write.term("tag", "Source"), await write.term("tag", "Older"), await write.term("tag", "Target")];
  await write.post("A", { tagIds: [source.id] });
  await write.post("B", { tagIds: [target.id, source.id] });
  await write.post("C", { tagIds: [older.id] });
  await write.merge(older, source);
  await write.merge(source, target);
  expect(await counted("/blog/tags")).toEqual([["Target", 3]]);
  for (const slug of ["source", "older"]) {
    expect((await read.json(`/blog/tags/${slug}`)).data).toMatchObject({ slug: "target", postCount: 3, slugRedirectedFrom: slug });
  }
  expect((await read.json(`/blog/tags/${source.id}`)).data).toMatchObject({ id: target.id });
});

test("an author has a portrait and an address", async () => {
  const image = await write.image("face.png", { alt: "Ada" });
  const author = await write.term("author", "Ada", {
    profile: { avatarMediaId: image.id, url: "https://ada.example" },
    description: "Writes.",
  });
  await write.post("Post", { authorIds: [author.id] });
  expect((await read.json("/blog/authors")).data).toEqual([
    {
      id: author.id,
      slug: "ada",
      name: "Ada",
      description: "Writes.",
      url: "https://ada.example",
      avatar: {
        id: image.id,
        url: `https://stet.test${image.url}`,
        alt: "Ada",
        width: 37,
        height: 21,
        blurhash: expect.any(String),
        focalPoint: null,
        dominantColor: expect.stringMatching(/^#[0-9a-f]{6}$/),
        srcset: null,
      },
      postCount: 1,
      formerSlugs: [],
    },
  ]);
});

describe("images", () => {
  test("that a published post shows, as cover or in its body, are listed newest first; no others", async () => {
    const made: Awaited<ReturnType<Writing["image"]>>[] = [];
    for (const name of ["cover", "body", "draft", "trashed"]) {
      services.pass(1_000);
      made.push(await write.image(`${name}.png`, { alt: name }));
    }
    const show = (n: number) => `![](/media/${tenant.website.id}/${made[n]!.id}.gif)`;
    const post = await write.post("Post", { coverMediaId: made[0]!.id, body: `${show(1)} ${show(3)}` });
    await write.edit(post, { body: show(2) });
    await write.draft("Draft", { coverMediaId: made[2]!.id });
    await write.deleteImage(made[3]!.id);
    const { data } = await read.json("/blog/media");
    expect(data).toMatchObject([
      { id: made[1]!.id, url: `https://stet.test${made[1]!.url}`, alt: "body", filename: "body.png", contentType: "image/gif" },
      { id: made[0]!.id },
    ]);
    expect((await read.json(`/blog/media/${made[0]!.id}`)).data).toEqual(data[1]);
    for (const id of [made[2]!.id, made[3]!.id, "media_01h455vb4pex5vsknk084sn02q", "cover", "%00"]) {
      expect(await read.code(`/blog/media/${id}`)).toBe("NOT_FOUND");
    }
    const first = await read.json("/blog/media?limit=1&sort=-createdAt");
    const second = await read.json(`/blog/media?limit=1&cursor=${first.pagination.nextCursor}`);
    expect([...first.data, ...second.data]).toEqual(data);
    expect(second.pagination).toEqual({ hasNext: false, nextCursor: null, limit: 1 });
    expect(await read.code("/blog/media?sort=name")).toBe("UNSUPPORTED_SORT");
    expect(await read.code(`/blog/media?cursor=${encodeCursor("-createdAt", { key: "x", id: made[0]!.id })}`)).toBe("INVALID_CURSOR");
  });
});
