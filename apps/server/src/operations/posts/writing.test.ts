import { beforeEach, describe, expect, test } from "vitest";
import { MINUTE } from "#domain/time";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestServices, type Tenant } from "#test/services";
import { operations as posts } from "./index.ts";

const services = closedAtEnd(await openTestServices());
let tenant: Tenant;
let ids: { websiteId: string };

beforeEach(async () => {
  tenant = await services.makeTenant();
  ids = { websiteId: tenant.website.id };
});

const create = (input: Record<string, unknown> = {}) =>
  services.call(posts.create_post, tenant.actor, { ...ids, title: "A title", ...input });
const edit = (post: { id: string; version: number }, input: Record<string, unknown>) =>
  services.call(posts.edit_post, tenant.actor, { ...ids, postId: post.id, expectedVersion: post.version, ...input });
const read = (id: string) => services.call(posts.get_post, tenant.actor, { ...ids, postId: id });
const publish = (post: { id: string; version: number }) =>
  services.call(posts.publish_post, tenant.actor, { ...ids, postId: post.id, expectedVersion: post.version });
const updateLive = (post: { id: string; version: number }) =>
  services.call(posts.update_live_post, tenant.actor, { ...ids, postId: post.id, expectedVersion: post.version });

describe("creating", () => {
  test("a post is always a draft, owned by who created it", async () => {
    const post = await create({ body: "Hello", featured: true });
    expect(post).toMatchObject({ status: "draft", version: 1, ownerId: tenant.owner.id, publishedAt: null });
    expect((await read(post.id)).working).toMatchObject({ title: "A title", slug: "a-title", body: "Hello", featured: true });
  });

  test("equal titles get different slugs", async () => {
    const slugs = [];
    for (let i = 0; i < 3; i++) slugs.push((await create()).working.slug);
    expect(slugs).toEqual(["a-title", "a-title-2", "a-title-3"]);
  });

  test("a slug that is taken is refused with whose it is", async () => {
    const first = await create({ slug: "mine" });
    await expect(create({ slug: "mine" })).rejects.toMatchObject({ code: "SLUG_TAKEN", facts: { slug: "mine", postId: first.id } });
  });

  test("twenty posts of one title created at once get twenty slugs", async () => {
    const created = await Promise.all(Array.from({ length: 20 }, () => create({ title: "Rush" })));
    expect(new Set(created.map((post) => post.working.slug)).size).toBe(20);
  });
});

describe("limits", () => {
  const over = {
    title: "x".repeat(301),
    excerpt: "x".repeat(601),
    body: "x".repeat(1024 * 1024 + 1),
    fields: { note: "x".repeat(17 * 1024) },
    slug: "No_Slug",
  };
  test.each(Object.entries(over))("%s over its limit is refused by name, and nothing is saved", async (field, value) => {
    await expect(create({ [field]: value })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      errors: expect.arrayContaining([expect.objectContaining({ field })]) as unknown,
    });
    expect((await services.call(posts.list_posts, tenant.actor, ids)).items).toEqual([]);
  });

  test("values exactly at their limit are saved and come back whole", async () => {
    const at = { title: "🙂".repeat(300), excerpt: "é".repeat(600), body: "x".repeat(1024 * 1024) };
    const post = await create(at);
    expect((await read(post.id)).working).toMatchObject(at);
  });

  test("a category of another website, or a tag given as a category, is refused", async () => {
    const other = await services.makeTenant();
    await expect(create({ categoryIds: ["cat_01h455vb4pex5vsknk084sn02q"] })).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    await expect(services.call(posts.create_post, other.actor, { ...ids, title: "x" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("editing", () => {
  test("what is left out stays as it is", async () => {
    const post = await create({ body: "Body", excerpt: "Excerpt", seo: { title: "SEO" } });
    const edited = await edit(post, { excerpt: "Other", seo: { noindex: true } });
    expect((await read(edited.id)).working).toMatchObject({ body: "Body", excerpt: "Other", seo: { title: "SEO", noindex: true } });
  });

  test("a stale version is refused with the current one, and nothing is overwritten", async () => {
    const post = await create();
    await edit(post, { body: "first" });
    await expect(edit(post, { body: "second" })).rejects.toMatchObject({ code: "VERSION_CONFLICT", facts: { currentVersion: 2 } });
    expect((await read(post.id)).working.body).toBe("first");
  });

  test("of ten edits of one version at once exactly one is saved", async () => {
    const post = await create();
    const results = await Promise.allSettled(Array.from({ length: 10 }, (_, i) => edit(post, { body: `writer ${i}` })));
    expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
    expect((await read(post.id)).version).toBe(2);
  });

  test("an autosave without a change makes no version", async () => {
    const post = await create({ body: "same" });
    expect((await edit(post, { body: "same", autosave: true })).version).toBe(1);
    expect((await edit(post, { body: "same" })).version).toBe(2);
  });

  test("the slug follows the title until the post is live or the slug is set", async () => {
    const post = await create({ title: "One" });
    const renamed = await edit(post, { title: "Two words" });
    expect(renamed.working.slug).toBe("two-words");
    const published = await publish(renamed);
    expect((await edit(published, { title: "Three" })).working.slug).toBe("two-words");
    const own = await edit(await create({ title: "Four" }), { slug: "four-and-a-half" });
    expect((await edit(own, { title: "Five" })).working.slug).toBe("four-and-a-half");
  });

  test("a slug that a draft gave up is free for another post", async () => {
    const post = await create({ title: "One" });
    services.pass(1);
    await edit(post, { slug: "other" });
    expect((await create({ slug: "one" })).working.slug).toBe("one");
  });
});

describe("slugs of live posts", () => {
  async function renamedLivePost() {
    const published = await publish(await create({ title: "Old address" }));
    services.pass(MINUTE);
    return updateLive(await edit(published, { slug: "new-address" }));
  }

  test("a slug that still redirects is not given away silently", async () => {
    const renamed = await renamedLivePost();
    expect(renamed.pastSlugs).toEqual(["old-address"]);
    await expect(create({ slug: "old-address" })).rejects.toMatchObject({ code: "SLUG_TAKEN", facts: { postId: renamed.id } });
    expect((await create({ title: "Old address" })).working.slug).toBe("old-address-2");
  });

  test("a person who may edit both can take it by naming the other post", async () => {
    const renamed = await renamedLivePost();
    const taker = await create({ title: "Taker" });
    const taken = await edit(taker, { slug: "old-address", takeSlugFrom: renamed.id });
    expect(taken.working.slug).toBe("old-address");
    expect((await read(renamed.id)).pastSlugs).toEqual([]);
    await expect(create({ slug: "old-address" })).rejects.toMatchObject({ code: "SLUG_TAKEN", facts: { postId: taker.id } });
  });

  test("a slug in use cannot be taken", async () => {
    const renamed = await renamedLivePost();
    const taker = await create({ title: "Taker" });
    await expect(edit(taker, { slug: "new-address", takeSlugFrom: renamed.id })).rejects.toMatchObject({ code: "SLUG_TAKEN" });
  });

  test("an author cannot take it from a post of somebody else, and a tool never can", async () => {
    const renamed = await renamedLivePost();
    const author = await tenant.addMember("author");
    const mine = await services.call(posts.create_post, author, { ...ids, title: "Mine" });
    const input = { ...ids, postId: mine.id, expectedVersion: 1, slug: "old-address", takeSlugFrom: renamed.id };
    await expect(services.call(posts.edit_post, author, input)).rejects.toMatchObject({ code: "SLUG_TAKEN" });
    const tool = { type: "tool", userId: tenant.owner.id, grant: { id: "grant_x", workspaces: "all", allowDelete: true } } as never;
    await expect(services.call(posts.edit_post, tool, input)).rejects.toMatchObject({ code: "GRANT_FORBIDS" });
  });
});
