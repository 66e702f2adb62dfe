import { POST_SORTS } from "@stet/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LIST_SORTS, PUBLICATION_SORTS } from "#ports/content-store";
import type { After, ListPage } from "#ports/list-page";
import { at, buildPost, edited, testId, WEBSITE } from "#test/builders";
import { EVERY_POST, openExplainedStore, OTHER_TAG, TAG } from "#test/explained-store";

const POSTS = 800;
/** One of the sizes that are read as they are asked for. */
const LIMIT = 20;

const { database, store, inParts, last, lastButOne, fill, costOf } = await openExplainedStore();
beforeAll(async () => {
  await fill(POSTS);
  await database.query({ text: "VACUUM ANALYZE" });
});
afterAll(() => database.close());

/** Reads the first page and one near the end; what each cost must not depend on where it lies. */
async function expectBounded(read: (after: After | null, limit: number) => Promise<ListPage<unknown>>, rowsAllowed: number): Promise<void> {
  const deep = (await read(null, POSTS / 2 - 2 * LIMIT)).next;
  expect(deep).not.toBeNull();
  for (const after of [null, deep]) {
    expect((await read(after, LIMIT)).rows).toHaveLength(LIMIT);
    const { rowsRead, steps } = await costOf(last());
    expect([...steps]).not.toContain("Seq Scan");
    expect(rowsRead).toBeLessThanOrEqual(rowsAllowed);
  }
}

test.each(POST_SORTS)("a page of live posts by %s reads no more rows than it shows, at any depth", async (sort) => {
  await expectBounded((after, limit) => store.posts.listLive(WEBSITE, { sort, after, limit }), LIMIT + 1);
  await expectBounded((after, limit) => store.posts.listLiveIds(WEBSITE, { sort, after, limit }), 20 + 1);
});

test.each(POST_SORTS)("a narrowed page of live posts by %s reads each row it shows once for every facet, at any depth", async (sort) => {
  const list = (facets: readonly (readonly string[])[], featured?: boolean) => (after: After | null, limit: number) =>
    store.posts.listLive(WEBSITE, { sort, facets, after, limit, ...(featured === undefined ? {} : { featured }) });
  // With the row that the cursor names.
  const page = LIMIT + 2;
  // The facet's row and the post's row.
  await expectBounded(list([[TAG]]), 2 * page + 1);
  await expectBounded(list([], false), 2 * page + 1);
  // Both facets up to the limit, then the posts.
  await expectBounded(list([[TAG, OTHER_TAG]]), 3 * page + 2);
  // The second facet is looked up for each.
  await expectBounded(list([[TAG], [EVERY_POST]]), 3 * page + 1);
});

test("addresses for a sitemap read no more rows than they show, and the beginnings of its files are found in the index alone", async () => {
  await expectBounded((after, limit) => store.posts.listAddresses(WEBSITE, { after, limit }), LIMIT + 1);
  expect(await store.posts.skipLive(WEBSITE, null, 100)).not.toBeNull();
  const { rowsRead, steps } = await costOf(last());
  expect([rowsRead <= 101, steps.has("Index Only Scan")]).toEqual([true, true]);
});

const KEPT = ["published", "draft", "scheduled", "unpublished"] as const;

test.each(LIST_SORTS)(
  "a page of several states by %s reads what it shows in the index and once more as a post, at any depth",
  async (sort) => {
    const statuses = sort.endsWith("editedAt") ? [...KEPT, "deleted" as const] : KEPT;
    // The statuses themselves are rows too, and servers before 18 round the rows of each.
    const allowed = 2 * (LIMIT + 1) + 2 * statuses.length;
    await expectBounded((after, limit) => store.posts.list(WEBSITE, { statuses, sort, after, limit }), allowed);
  },
);

test.each([
  ...[...LIST_SORTS, ...PUBLICATION_SORTS].map((sort) => ({ list: "one state", sort, statuses: ["published"] as const })),
  ...(["editedAt", "-editedAt"] as const).map((sort) => ({ list: "all but the trash", sort, statuses: KEPT })),
])("a page of $list by $sort reads what it shows, at any depth", async ({ sort, statuses }) => {
  // The website that is asked for is a row too.
  await expectBounded((after, limit) => store.posts.listHeads(WEBSITE, { statuses, sort, after, limit }), LIMIT + 2);
});

test.each(PUBLICATION_SORTS)("a narrowed page by %s reads the index in that order, up to the page's end, at any depth", async (sort) => {
  const list = (after: After | null, limit: number) =>
    store.posts.listHeads(WEBSITE, { statuses: ["published"], facets: [[EVERY_POST]], sort, after, limit });
  // The posts of the facet are collected once; then what is shown is read in the index and once more as a post.
  await expectBounded(list, POSTS + 2 * (LIMIT + 1) + 2);
});

test("however many are asked for at a time, look-ups and lists are planned no more often than it takes to keep a plan", async () => {
  const [readers, askedAtOnce] = [20, 3];
  for (let turn = 0; turn < readers; turn++) {
    const some = Array.from({ length: 1 + (turn % askedAtOnce) }, (_, n) => n);
    await Promise.all(some.map((n) => store.posts.get(WEBSITE, testId("post", n))));
    await Promise.all(some.map(() => store.posts.listHeads(WEBSITE, { statuses: KEPT, sort: "-editedAt", after: null, limit: LIMIT })));
  }
  const { rows } = await database.query<{ statement: string; plannedAnew: number }>({
    text: `SELECT statement, custom_plans::integer AS "plannedAnew" FROM pg_prepared_statements
           WHERE statement LIKE '%nth%' AND generic_plans + custom_plans >= $1`,
    values: [readers],
  });
  // The server tries five times before it keeps one.
  expect(rows.map(({ plannedAnew }) => plannedAnew)).toEqual([5, 5]);
});

test.each(["-editedAt", "title"] as const)("a word that no title has is looked for in the index by %s, not in the posts", async (sort) => {
  await store.posts.list(WEBSITE, { statuses: ["published"], titleContains: "nowhere", sort, after: null, limit: LIMIT });
  const { steps } = await costOf(last());
  expect([...steps]).toContain("Index Only Scan");
  expect([...steps]).not.toContain("Seq Scan");
});

test.each([...LIST_SORTS, ...PUBLICATION_SORTS])(
  "of many titles, an answer by %s looks at a part: its end is found in the index alone, and no title beyond it is read",
  async (sort) => {
    const query = { statuses: ["published"], titleContains: "nowhere", sort, limit: LIMIT } as const;
    const PART = 100;
    const first = await inParts(10, PART).posts.list(WEBSITE, { ...query, after: null });
    expect([first.rows, first.next]).toEqual([[], expect.anything()]);
    for (const after of [null, first.next]) {
      await inParts(10, PART).posts.list(WEBSITE, { ...query, after });
      const [end, page] = [await costOf(lastButOne()), await costOf(last())];
      expect([end.rowsRead <= PART, end.steps.has("Index Only Scan"), page.rowsRead <= PART + 2]).toEqual([true, true, true]);
      expect([...end.steps, ...page.steps].filter((step) => /Seq|Bitmap|^Sort$/.test(step))).toEqual(["Sort"]);
    }
  },
);

test("posts that are asked for by key read what they find, and no more", async () => {
  const ids = [1, 2, 3].map((n) => testId("post", n));
  await Promise.all(ids.map((id) => store.posts.get(WEBSITE, id)));
  const { rowsRead, steps } = await costOf(last());
  expect([...steps]).not.toContain("Seq Scan");
  // The keys are rows too.
  expect(rowsRead).toBe(2 * ids.length);
});

test("sweeps read only what there is to do", async () => {
  const reads = [
    () => store.posts.listPending(100),
    () => store.posts.listDeletedBefore(at(9e9), 100),
    () => store.posts.listRenderedBefore(1, 100),
    () => store.media.listDeletedBefore(at(9e9), 100),
  ];
  for (const read of reads) {
    expect(await read()).toEqual([]);
    expect((await costOf(last())).rowsRead).toBe(0);
  }
});

test("a page of past slugs reads the posts that have some, and no others", async () => {
  await database.query({ text: "UPDATE posts SET past_slugs = ARRAY['past-' || right(id, 8)] WHERE abs(hashtext(id)) % 2 = 0" });
  await database.query({ text: "VACUUM ANALYZE posts" });
  const deep = (await store.posts.listPastSlugs(WEBSITE, { after: null, limit: 300 })).next;
  expect(deep).not.toBeNull();
  for (const after of [null, deep]) {
    expect((await store.posts.listPastSlugs(WEBSITE, { after, limit: LIMIT })).rows).toHaveLength(LIMIT);
    expect((await costOf(last())).rowsRead).toBeLessThanOrEqual(2 * (LIMIT + 2));
  }
});

test("saving a draft looks facets up by their key, and reads none of the published posts", async () => {
  const draft = buildPost(POSTS + 1);
  await store.posts.insert(draft, { visible: false });
  await store.posts.save(edited(draft), { visible: false });
  const { text, values = [] } = last();
  // As a statement that is used often is planned: for values that are not known yet.
  const plan = await database.transaction(async (connection) => {
    await connection.query({ text: "SET LOCAL plan_cache_mode = force_generic_plan" });
    await connection.query({ text: `PREPARE saving AS ${text}` });
    const explained = await connection.query<{ "QUERY PLAN": string }>({
      text: `EXPLAIN EXECUTE saving (${values.map(() => "NULL").join()})`,
    });
    await connection.query({ text: "DEALLOCATE saving" });
    return explained.rows.map((row) => row["QUERY PLAN"]).join("\n");
  });
  const found = [...plan.matchAll(/Scan using \S+ on (working|live)_facets .*\n\s+Index Cond: (.*)/g)];
  expect(found.map(([, table]) => table)).toEqual(["working", "live"]);
  for (const [, , condition] of found) expect(condition).toMatch(/website_id.*facet.*post_id/);
  expect(plan).not.toContain("Seq Scan");
});
