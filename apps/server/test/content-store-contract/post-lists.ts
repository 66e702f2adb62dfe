import { expect } from "vitest";
import { FEATURED } from "#domain/facets";
import type { Post } from "#domain/post";
import { headOf } from "#domain/post-head";
import type { ContentStore, DatedQuery, PostListQuery } from "#ports/content-store";
import { at, buildContent, buildLive, buildPost, buildPublishedPost, byTool, byUser, edited, testId } from "../builders.ts";
import type { Suite } from "./suite.ts";

const EVERY = ["draft", "scheduled", "published", "unpublished", "deleted"] as const;

async function titles(store: ContentStore, website: Post["websiteId"], query: Partial<PostListQuery>): Promise<string[]> {
  const whole: PostListQuery = { statuses: EVERY, sort: "createdAt", after: null, limit: 100, ...query };
  const page = await store.posts.list(website, whole);
  expect(await store.posts.listHeads(website, whole)).toEqual({ rows: page.rows.map(headOf), next: page.next });
  return page.rows.map((row) => row.working.title);
}

const titled = (n: number, title: string, overrides: Partial<Post> = {}): Post =>
  buildPost(n, { working: buildContent(n, { title }), ...overrides });

export function postLists({ test }: Suite): void {
  const insert = async (store: ContentStore, website: Post["websiteId"], posts: readonly Post[]) => {
    for (const post of posts) await store.posts.insert({ ...post, websiteId: website }, { visible: true });
  };

  test("a list holds the asked-for statuses and no other", async ({ store, website }) => {
    await insert(
      store,
      website,
      EVERY.map((status, n) => titled(n, status, { status, live: buildLive(buildContent(n)) })),
    );
    for (const status of EVERY) expect(await titles(store, website, { statuses: [status] })).toEqual([status]);
    expect(await titles(store, website, { statuses: ["deleted", "draft"] })).toEqual(["draft", "deleted"]);
    expect(await titles(store, website, { statuses: ["draft", "draft"] })).toEqual(["draft"]);
    expect(await titles(store, website, { statuses: [] })).toEqual([]);
  });

  test("only posts with unpublished changes are listed when asked for", async ({ store, website }) => {
    await insert(store, website, [
      buildPublishedPost(1),
      buildPublishedPost(2, { working: buildContent(2, { title: "changed" }), hasUnpublishedChanges: true }),
    ]);
    expect(await titles(store, website, { hasUnpublishedChanges: true })).toEqual(["changed"]);
  });

  test("dated posts are the scheduled and the published of a window, earliest first, at most so many", async ({ store, website }) => {
    const live = (n: number, title: string, moment: number) =>
      buildPublishedPost(n, { working: buildContent(n, { title }) }, { publishedAt: at(moment), updatedAt: at(moment) });
    const other = testId("user", 2);
    await insert(store, website, [
      live(1, "too early", 9),
      live(2, "first moment", 10),
      { ...live(3, "live title", 30), working: buildContent(3, { title: "being renamed" }) },
      titled(4, "planned", { status: "scheduled", scheduledAt: at(20) }),
      titled(5, "another's plan", { status: "scheduled", scheduledAt: at(39), ownerId: other }),
      titled(6, "too late", { status: "scheduled", scheduledAt: at(40) }),
      { ...live(7, "taken down", 25), status: "unpublished" },
      titled(8, "a draft"),
    ]);
    const dated = async (query: Partial<DatedQuery>) => {
      const whole = { statuses: ["scheduled", "published"], from: at(10), to: at(40), limit: 100 } as const;
      return (await store.posts.listDated(website, { ...whole, ...query })).map(({ title }) => title);
    };
    expect(await dated({})).toEqual(["first moment", "planned", "live title", "another's plan"]);
    expect(await dated({ limit: 2 })).toEqual(["first moment", "planned"]);
    expect(await dated({ statuses: ["scheduled"] })).toEqual(["planned", "another's plan"]);
    expect(await dated({ ownOrPublished: other })).toEqual(["first moment", "live title", "another's plan"]);
    expect(await dated({ statuses: [] })).toEqual([]);
    const [planned] = await store.posts.listDated(website, { statuses: ["scheduled"], from: at(0), to: at(40), limit: 1 });
    expect(planned).toEqual({ id: testId("post", 4), title: "planned", status: "scheduled", at: at(20) });
  });

  test("a part of the title is found folded, and its signs mean themselves", async ({ store, website }) => {
    const all = ["100% sure", "a_b", "axb", "Crème brûlée", "back\\slash", "(group) [set] a.c+", "abc", "İstanbul 😀"];
    await insert(
      store,
      website,
      all.map((title, n) => titled(n, title)),
    );
    const find = (titleContains: string) => titles(store, website, { titleContains });
    expect(await find("%")).toEqual(["100% sure"]);
    expect(await find("a_b")).toEqual(["a_b"]);
    expect(await find("CREME BRU")).toEqual(["Crème brûlée"]);
    expect(await find("brûlée")).toEqual(["Crème brûlée"]);
    expect(await find("\\")).toEqual(["back\\slash"]);
    expect(await find("(group)")).toEqual(["(group) [set] a.c+"]);
    expect(await find("a.c")).toEqual(["(group) [set] a.c+"]);
    expect(await find("^a")).toEqual([]);
    expect(await find(".*")).toEqual([]);
    expect(await find("istanbul 😀")).toEqual(["İstanbul 😀"]);
    expect(await find("")).toEqual(all);
  });

  test("the title searched is that of the working copy as it is now", async ({ store, website }) => {
    const post = { ...buildPublishedPost(1), websiteId: website };
    await store.posts.insert(post, { visible: true });
    await store.posts.save(edited(post, { working: buildContent(1, { title: "Renamed" }) }), { visible: false });
    expect(await titles(store, website, { titleContains: "post 1" })).toEqual([]);
    expect(await titles(store, website, { titleContains: "renamed" })).toEqual(["Renamed"]);
  });

  test("facets: any of an inner list, all of the outer one, from the working copy", async ({ store, website }) => {
    const [red, blue, cat] = [testId("tag", 1), testId("tag", 2), testId("category", 1)];
    const image = testId("media", 1);
    const make = (n: number, title: string, content: Parameters<typeof buildContent>[1], overrides: Partial<Post> = {}) =>
      buildPost(n, { working: buildContent(n, { title, ...content }), ...overrides });
    await insert(store, website, [
      make(1, "red", { tagIds: [red] }),
      make(2, "blue", { tagIds: [blue], authorIds: [testId("author", 1)] }),
      make(3, "both", { tagIds: [red, blue], categoryIds: [cat] }),
      make(4, "live only", {}, { status: "published", live: buildLive(buildContent(4, { tagIds: [red] })) }),
      make(5, "cover", { coverMediaId: image, featured: true }),
      make(6, "in the body", {}, { workingMediaIds: [image] }),
    ]);
    const find = (facets: readonly (readonly string[])[]) => titles(store, website, { facets });
    expect(await find([[red]])).toEqual(["red", "both"]);
    expect(await find([[red, blue]])).toEqual(["red", "blue", "both"]);
    expect(await find([[red], [blue]])).toEqual(["both"]);
    expect(
      await find([
        [red, blue],
        [cat, testId("author", 1)],
      ]),
    ).toEqual(["blue", "both"]);
    expect(await find([[image]])).toEqual(["cover", "in the body"]);
    expect(await find([[FEATURED]])).toEqual(["cover"]);
    expect(await find([[testId("tag", 9)]])).toEqual([]);
    expect(await find([[]])).toEqual([]);
    expect(await find([])).toHaveLength(6);
  });

  test("a save moves a post between facets", async ({ store, website }) => {
    const [red, blue] = [testId("tag", 1), testId("tag", 2)];
    const post = titled(1, "moving", { websiteId: website });
    const first = { ...post, working: buildContent(1, { title: "moving", tagIds: [red] }) };
    await store.posts.insert(first, { visible: false });
    await store.posts.save(edited(first, { working: buildContent(1, { title: "moving", tagIds: [blue] }) }), { visible: false });
    expect(await titles(store, website, { facets: [[red]] })).toEqual([]);
    expect(await titles(store, website, { facets: [[blue]] })).toEqual(["moving"]);
  });

  test("a contributor's view: one's own posts, and whatever is published", async ({ store, website }) => {
    const [me, you] = [testId("user", 7), testId("user", 8)];
    await insert(store, website, [
      titled(1, "my draft", { ownerId: me }),
      titled(2, "your draft", { ownerId: you }),
      titled(3, "your published", { ownerId: you, status: "published", live: buildLive(buildContent(3)) }),
      titled(4, "your unpublished", { ownerId: you, status: "unpublished", live: buildLive(buildContent(4)) }),
      titled(5, "nobody's", { ownerId: null }),
      titled(6, "my trash", { ownerId: me, status: "deleted" }),
    ]);
    expect(await titles(store, website, { ownOrPublished: me })).toEqual(["my draft", "your published", "my trash"]);
    expect(await titles(store, website, { ownerId: you })).toEqual(["your draft", "your published", "your unpublished"]);
    expect(await titles(store, website, { ownerId: you, ownOrPublished: me })).toEqual(["your published"]);
    expect(await store.posts.countByStatus(website)).toEqual({ draft: 3, scheduled: 0, published: 1, unpublished: 1, deleted: 1 });
    expect(await store.posts.countByStatus(website, me)).toEqual({ draft: 1, scheduled: 0, published: 1, unpublished: 0, deleted: 1 });
  });

  test("lists can be narrowed to what a tool edited last, and to what waits for review", async ({ store, website }) => {
    const review = { requestedBy: byUser(), requestedAt: at(1), note: "" };
    await insert(store, website, [
      titled(1, "by hand"),
      titled(2, "by tool", { editedBy: byTool() }),
      titled(3, "by tool, waits", { editedBy: byTool(), review }),
      titled(4, "waits", { review }),
    ]);
    expect(await titles(store, website, { editedByTool: true })).toEqual(["by tool", "by tool, waits"]);
    expect(await titles(store, website, { editedByTool: false })).toEqual(["by hand", "waits"]);
    expect(await titles(store, website, { reviewRequested: true })).toEqual(["by tool, waits", "waits"]);
    expect(await titles(store, website, { reviewRequested: false })).toEqual(["by hand", "by tool"]);
    expect(await titles(store, website, { editedByTool: true, reviewRequested: true })).toEqual(["by tool, waits"]);
  });

  test("filters work together with paging", async ({ store, website }) => {
    const posts = Array.from({ length: 30 }, (_, n) =>
      titled(n, n % 3 ? `Other ${n}` : `Wanted ${n}`, { status: n % 2 ? "draft" : "unpublished" }),
    );
    await insert(store, website, posts);
    const seen: string[] = [];
    let after: PostListQuery["after"] = null;
    do {
      const page = await store.posts.list(website, { statuses: ["draft"], titleContains: "wanted", sort: "-createdAt", after, limit: 2 });
      seen.push(...page.rows.map((row) => row.working.title));
      after = page.next;
    } while (after);
    expect(seen).toEqual(["Wanted 27", "Wanted 21", "Wanted 15", "Wanted 9", "Wanted 3"]);
  });

  test("where-used counts a post once, by its working copy or, while published, its live copy, never from the trash", async ({
    store,
    website,
  }) => {
    const [red, blue] = [testId("tag", 1), testId("tag", 2)];
    const withRed = buildContent(1, { tagIds: [red] });
    await insert(store, website, [
      buildPost(1, { working: withRed }),
      buildPost(2, { working: withRed, status: "published", live: buildLive(withRed) }),
      buildPost(3, { status: "published", live: buildLive(withRed) }),
      buildPost(4, { status: "unpublished", live: buildLive(withRed) }),
      buildPost(5, { working: withRed, status: "deleted", live: buildLive(withRed) }),
    ]);
    expect(await store.posts.countByFacet(website, [[red], [blue]])).toEqual([3, 0]);
    expect(await store.posts.countLiveByFacet(website, [[red], [blue]])).toEqual([2, 0]);
    expect(await store.posts.countByFacet(website, [])).toEqual([]);
  });

  test("a post that shows two facets of a group counts once in it, and once in every group it belongs to", async ({ store, website }) => {
    const [red, crimson, blue] = [testId("tag", 1), testId("tag", 2), testId("tag", 3)];
    const tagged = (n: number, tagIds: readonly (typeof red)[]) => buildContent(n, { tagIds });
    await insert(store, website, [
      buildPublishedPost(1, { working: tagged(1, [red, crimson]) }),
      buildPublishedPost(2, { working: tagged(2, [crimson, blue]) }),
      // One of the group live, another in the working copy: still one post.
      buildPublishedPost(3, { working: tagged(3, [red]), live: buildLive(tagged(3, [crimson])) }),
      buildPost(4, { working: tagged(4, [red, crimson]) }),
    ]);
    const groups = [[red, crimson], [blue], [], [crimson], [blue, red]];
    expect(await store.posts.countByFacet(website, groups)).toEqual([4, 1, 0, 4, 4]);
    expect(await store.posts.countLiveByFacet(website, groups)).toEqual([3, 1, 0, 3, 2]);
  });
}
