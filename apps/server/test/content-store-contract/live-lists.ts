import { expect } from "vitest";
import { FEATURED } from "#domain/facets";
import type { Post } from "#domain/post";
import type { ContentStore } from "#ports/content-store";
import type { LiveListQuery } from "#ports/live-posts";
import { at, buildContent, buildLive, buildPost, buildPublishedPost, edited, testId } from "../builders.ts";
import type { Suite } from "./suite.ts";

async function titles(store: ContentStore, website: Post["websiteId"], query: Partial<LiveListQuery> = {}): Promise<string[]> {
  const page = await store.posts.listLive(website, { sort: "createdAt", after: null, limit: 100, ...query });
  return page.rows.map((row) => row.content.title);
}

export function liveLists({ test }: Suite): void {
  test("only published posts are live, whatever copies the others hold", async ({ store, website }) => {
    for (const [n, status] of (["draft", "scheduled", "published", "unpublished", "deleted"] as const).entries()) {
      const content = buildContent(n, { title: status, featured: true });
      await store.posts.insert(buildPost(n, { websiteId: website, status, working: content, live: buildLive(content) }), { visible: true });
      await store.claims.claim(website, "post", { slug: status, ownerId: testId("post", n), claimedAt: at(1) });
      const live = await store.posts.getLive(website, testId("post", n));
      expect(live !== null).toBe(status === "published");
      expect(await store.posts.getLiveBySlug(website, status)).toEqual(live);
    }
    await store.claims.claim(website, "tag", { slug: "a-tag", ownerId: testId("post", 2), claimedAt: at(1) });
    for (const slug of ["free", "a-tag"]) expect(await store.posts.getLiveBySlug(website, slug)).toBeNull();
    const all = [0, 1, 2, 3, 4, 9].map((n) => testId("post", n));
    expect(await store.posts.getManyLive(website, all)).toEqual(
      (await store.posts.listLive(website, { sort: "title", after: null, limit: 9 })).rows,
    );
    expect(await store.posts.getManyLive(website, [])).toEqual([]);
    expect(await titles(store, website)).toEqual(["published"]);
    expect(await titles(store, website, { featured: true })).toEqual(["published"]);
    expect(await titles(store, website, { featured: false })).toEqual([]);
    expect(await store.posts.countLiveByFacet(website, [[FEATURED]])).toEqual([1]);
  });

  test("a save of the working copy shows nowhere among live posts: not in texts, order, facets or counts", async ({ store, website }) => {
    const [red, blue] = [testId("tag", 1), testId("tag", 2)];
    const first = buildPublishedPost(1, { websiteId: website, working: buildContent(1, { title: "B", tagIds: [red] }) });
    const second = buildPublishedPost(2, { websiteId: website, working: buildContent(2, { title: "C" }) });
    await store.posts.insert(first, { visible: true });
    await store.posts.insert(second, { visible: true });
    const before = await store.posts.getLive(website, first.id);
    const working = buildContent(1, { title: "Z", body: "secret", tagIds: [blue], featured: true, coverMediaId: testId("media", 1) });
    await store.posts.save(edited(first, { working, editedAt: at(9e6), hasUnpublishedChanges: true }), { visible: false });
    expect(await store.posts.getLive(website, first.id)).toEqual(before);
    expect(await titles(store, website, { sort: "title" })).toEqual(["B", "C"]);
    expect(await titles(store, website, { facets: [[red]] })).toEqual(["B"]);
    expect(await titles(store, website, { facets: [[blue]] })).toEqual([]);
    expect(await titles(store, website, { featured: true })).toEqual([]);
    expect(await store.posts.countLiveByFacet(website, [[red], [blue]])).toEqual([1, 0]);
  });

  test("an update of the live copy moves it in every order and facet at once, also within a facet it keeps", async ({ store, website }) => {
    const [red, blue, kept] = [testId("tag", 1), testId("tag", 2), testId("tag", 3)];
    const first = buildPublishedPost(1, { websiteId: website, working: buildContent(1, { title: "A", tagIds: [red, kept] }) });
    const second = buildPublishedPost(2, { websiteId: website, working: buildContent(2, { title: "B", tagIds: [red, blue, kept] }) });
    await store.posts.insert(first, { visible: true });
    await store.posts.insert(second, { visible: true });
    const content = buildContent(1, { title: "C", tagIds: [blue, kept], featured: true });
    const live = buildLive(content, { publishedAt: at(9e6), updatedAt: at(9e6) });
    await store.posts.save(edited(first, { working: content, live, createdAt: at(9e6) }), { visible: true });
    for (const sort of ["title", "publishedAt", "updatedAt", "createdAt"] as const) {
      expect(await titles(store, website, { sort })).toEqual(["B", "C"]);
      for (const facet of [blue, kept]) {
        expect(await titles(store, website, { sort, facets: [[facet]] })).toEqual(["B", "C"]);
        const page = await store.posts.listLive(website, { sort, facets: [[facet]], after: null, limit: 1 });
        const rest = await titles(store, website, { sort, facets: [[facet]], after: page.next });
        expect(rest).toEqual(["C"]);
      }
      expect(await titles(store, website, { sort, facets: [[red]] })).toEqual(["B"]);
      expect(await titles(store, website, { sort, featured: true })).toEqual(["C"]);
      expect(await titles(store, website, { sort, featured: false })).toEqual(["B"]);
    }
  });

  test("unpublishing takes a post out of every live list, publishing again puts it back", async ({ store, website }) => {
    const red = testId("tag", 1);
    const post = buildPublishedPost(1, { websiteId: website, working: buildContent(1, { title: "A", tagIds: [red] }) });
    await store.posts.insert(post, { visible: true });
    const off = edited(post, { status: "unpublished" });
    await store.posts.save(off, { visible: true });
    expect(await titles(store, website)).toEqual([]);
    expect(await titles(store, website, { facets: [[red]] })).toEqual([]);
    expect(await titles(store, website, { featured: false })).toEqual([]);
    expect(await store.posts.countLiveByFacet(website, [[red]])).toEqual([0]);
    expect(await store.posts.getLive(website, post.id)).toBeNull();
    await store.posts.save(edited(off, { status: "published" }), { visible: true });
    expect(await titles(store, website, { facets: [[red]] })).toEqual(["A"]);
    expect(await titles(store, website, { featured: false })).toEqual(["A"]);
  });

  test("live facets are terms, the cover, images in the body and featured, of the live copy", async ({ store, website }) => {
    const [cat, author, cover, inBody] = [testId("category", 1), testId("author", 1), testId("media", 1), testId("media", 2)];
    const content = buildContent(1, { title: "A", categoryIds: [cat], authorIds: [author], coverMediaId: cover, featured: true });
    const live = buildLive(content, { mediaIds: [cover, inBody] });
    await store.posts.insert(buildPost(1, { websiteId: website, status: "published", live }), { visible: true });
    await store.posts.insert(buildPublishedPost(2, { websiteId: website }), { visible: true });
    const all = [cat, author, cover, inBody, FEATURED];
    for (const facet of all) expect(await titles(store, website, { facets: [[facet]] })).toEqual(["A"]);
    expect(await titles(store, website, { facets: all.map((facet) => [facet]) })).toEqual(["A"]);
    const counts = await store.posts.countLiveByFacet(
      website,
      [...all, testId("tag", 9)].map((facet) => [facet]),
    );
    expect(counts).toEqual([1, 1, 1, 1, 1, 0]);
  });

  test("an empty any-of group matches nothing; no groups match everything", async ({ store, website }) => {
    await store.posts.insert(buildPublishedPost(1, { websiteId: website }), { visible: true });
    expect(await titles(store, website, { facets: [[]] })).toEqual([]);
    expect(await titles(store, website, { facets: [] })).toEqual(["Post 1"]);
  });

  test("featured=false with facets, and featured both ways, never overlap and together are all", async ({ store, website }) => {
    for (let n = 0; n < 12; n++) {
      const working = buildContent(n, { title: `${n}`, featured: n % 3 === 0, tagIds: n % 2 ? [testId("tag", 1)] : [] });
      await store.posts.insert(buildPublishedPost(n, { websiteId: website, working }), { visible: true });
    }
    expect(await titles(store, website, { featured: true })).toEqual(["0", "3", "6", "9"]);
    expect(await titles(store, website, { featured: false })).toEqual(["1", "2", "4", "5", "7", "8", "10", "11"]);
    expect(await titles(store, website, { featured: false, facets: [[testId("tag", 1)]] })).toEqual(["1", "5", "7", "11"]);
    expect(await titles(store, website, { featured: true, facets: [[testId("tag", 1)]] })).toEqual(["3", "9"]);
  });
}
