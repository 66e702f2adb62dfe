import { POST_SORTS } from "@stet/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LIST_SORTS, PUBLICATION_SORTS } from "#ports/content-store";
import type { LiveListQuery } from "#ports/live-posts";
import { testId, WEBSITE } from "#test/builders";
import { EVERY_POST, openExplainedStore, OTHER_TAG, TAG } from "#test/explained-store";
import type { Statement } from "../database.ts";

/** Enough that reading all of them is no better than an index. */
const POSTS = 1_500;
const LIMIT = 10;

interface Plan {
  readonly "Node Type": string;
  readonly "Index Name"?: string;
  readonly "Relation Name"?: string;
  readonly Plans?: readonly Plan[];
}

const { database, store, last, fill } = await openExplainedStore();
beforeAll(async () => {
  for (const table of ["posts", "live_facets", "post_search"])
    await database.query({ text: `ALTER TABLE ${table} SET (autovacuum_enabled = false)` });
  await fill(POSTS);
});
afterAll(() => database.close());

/** As it is planned for any values, and for these. */
async function plansOf(statement: Statement): Promise<Plan[]> {
  const explain = async (mode: string): Promise<Plan> => {
    const { rows } = await database.transaction(async (connection) => {
      await connection.query({ text: `SET LOCAL plan_cache_mode = ${mode}` });
      return connection.query<{ "QUERY PLAN": [{ Plan: Plan }] }>({
        text: `EXPLAIN (FORMAT JSON) ${statement.text}`,
        values: statement.values ?? [],
      });
    });
    return rows[0]!["QUERY PLAN"][0].Plan;
  };
  return [await explain("force_generic_plan"), await explain("force_custom_plan")];
}

const INDEX_OF: Readonly<Record<string, string>> = {
  publishedAt: "published",
  createdAt: "created",
  editedAt: "edited",
  updatedAt: "updated",
  title: "title",
};

const LISTS: Readonly<Record<string, Omit<LiveListQuery, "sort" | "after" | "limit">>> = {
  "all posts": {},
  "posts with a tag": { facets: [[TAG]] },
  "posts with one of two merged tags": { facets: [[TAG, OTHER_TAG]] },
  "posts with a tag and a category": { facets: [[TAG], [EVERY_POST]] },
  "featured posts": { featured: true },
  "unfeatured posts with a tag": { featured: false, facets: [[OTHER_TAG]] },
};

const everyList = Object.entries(LISTS).flatMap(([list, query]) => POST_SORTS.map((sort) => ({ list, sort, query })));

test.each(everyList)("before any statistics, $list by $sort come from the index in that order", async ({ sort, query }) => {
  const first = await store.posts.listLive(WEBSITE, { sort, ...query, after: null, limit: LIMIT });
  const statements = [last()];
  await store.posts.listLive(WEBSITE, { sort, ...query, after: first.next, limit: LIMIT });
  statements.push(last());
  await store.posts.listLiveIds(WEBSITE, { sort, ...query, after: first.next, limit: LIMIT });
  statements.push(last());
  for (const statement of statements) {
    for (const plan of await plansOf(statement)) {
      const scans = scansOf(plan);
      const order = INDEX_OF[sort.replace("-", "")]!;
      // The list itself, in its order; and posts by their id.
      expect(scans.filter(({ index }) => index !== "posts_pkey")).toEqual([
        { index: expect.stringMatching(new RegExp(`^(posts_by|posts_live_by|live_facets_by)_${order}$`)) as string, isSorted: false },
      ]);
    }
  }
});

const WRITERS_LISTS = [
  ...LIST_SORTS.map((sort) => ({
    list: "one state",
    sort,
    statuses: ["published"] as const,
    index: `posts_by_${INDEX_OF[sort.replace("-", "")]}`,
  })),
  ...PUBLICATION_SORTS.map((sort) => ({
    list: "what is published",
    sort,
    statuses: ["published"] as const,
    index: "posts_live_by_published",
  })),
  ...(["editedAt", "-editedAt"] as const).map((sort) => ({
    list: "all but the trash",
    sort,
    statuses: ["published", "draft", "scheduled", "unpublished"] as const,
    index: "posts_kept_by_edited",
  })),
];

test.each(WRITERS_LISTS)("before any statistics, $list by $sort comes from the index in that order", async ({ sort, statuses, index }) => {
  const first = await store.posts.list(WEBSITE, { statuses, sort, after: null, limit: LIMIT });
  const statements = [last()];
  await store.posts.list(WEBSITE, { statuses, sort, after: first.next, limit: LIMIT });
  statements.push(last());
  for (const statement of statements) {
    for (const plan of await plansOf(statement)) expect(scansOf(plan)).toEqual([{ index, isSorted: false }]);
  }
});

test("before any statistics, posts that are asked for by key are found by it", async () => {
  await Promise.all([1, 2, 3].map((n) => store.posts.get(WEBSITE, testId("post", n))));
  for (const plan of await plansOf(last())) expect(scansOf(plan)).toEqual([{ index: "posts_pkey", isSorted: false }]);
});

test("before any statistics, words and words like them are looked up, not read in every post", async () => {
  const found = await store.search.search(WEBSITE, { text: "title", language: "en", after: null, limit: LIMIT });
  expect(found.rows).toHaveLength(LIMIT);
  // As the functions ask that the store calls (migrations 0392 and 0410).
  const asking = (condition: string, value: string) => ({
    text: `SELECT FROM post_search WHERE website_id = $1 AND $2::text < $3::text AND ${condition}`,
    values: [WEBSITE, "", "~", value],
  });
  for (const [statement, index] of [
    [asking("looked_up(document) @@ $4::tsquery", "'titl'"), "post_search_document"],
    [asking("looked_up(head) @@ $4::tsquery", "'titl'"), "post_search_head"],
    [asking("looked_up(haystack) %> $4", "titel"), "post_search_haystack"],
    [asking("looked_up(haystack) ~ $4", "\\mtit|titl|itle"), "post_search_haystack"],
  ] as const) {
    for (const plan of await plansOf(statement)) {
      const indexes = scansOf(plan).map((scan) => scan.index);
      expect(indexes.filter((name) => name.startsWith("post_search"))).toEqual([index]);
    }
  }
});

/** Every scan of a table, and whether its rows are sorted before a limit cuts them. */
function scansOf(plan: Plan, isSorted = false): { index: string; isSorted: boolean }[] {
  const kind = plan["Node Type"];
  // What a limit lets through is a page, and may be sorted further up.
  const below = kind === "Limit" ? false : isSorted || kind.includes("Sort");
  const inner = (plan.Plans ?? []).flatMap((child) => scansOf(child, below));
  const isScan = plan["Relation Name"] !== undefined || kind === "Bitmap Index Scan";
  return isScan ? [{ index: plan["Index Name"] ?? kind, isSorted: below }, ...inner] : inner;
}
