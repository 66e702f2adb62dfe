import { afterAll, beforeAll, expect, test } from "vitest";
import { timestamp } from "#domain/time";
import type { After } from "#ports/list-page";
import type { SearchHit } from "#ports/post-search";
import { WEBSITE } from "../builders.ts";
import { openExplainedStore } from "../explained-store.ts";
import { fillLargeBlog, largeTerm } from "./large-blog.ts";
import { VOCABULARY } from "./words.ts";

/** More than a search looks through at first. `npm run bench -- large` has a million. */
const POSTS = process.env.STET_SOAK ? 50_000 : 6_000;
const NEWEST = 4_096;

const { database, store, last, costOf } = await openExplainedStore();
beforeAll(async () => {
  await fillLargeBlog(database, store, { websiteId: WEBSITE, posts: POSTS, full: POSTS / 100 });
  // It counts as large from here on, without the time that as many posts would take.
  await database.query({ text: "UPDATE post_counts SET posts = 50000 WHERE status = 'published'" });
  await database.query({ text: "VACUUM ANALYZE" });
}, 300_000);
afterAll(() => database.close());

const idsFrom = async (text: string, values: unknown[] = []) =>
  (await database.query<{ post_id: string }>({ text, values })).rows.map((row) => row.post_id);

/** Every hit, page by page. */
async function findAll(text: string, limit: number): Promise<SearchHit[]> {
  const found: SearchHit[] = [];
  let after: After | null = null;
  do {
    const page: Awaited<ReturnType<typeof store.search.search>> = await store.search.search(WEBSITE, {
      text,
      language: "en",
      after,
      limit,
    });
    expect(page.rows.length).toBeGreaterThan(0);
    found.push(...page.rows);
    after = page.next;
  } while (after);
  return found;
}

test("a word that many posts have is ranked among the newest first, and every post that has it comes once", async () => {
  const word = VOCABULARY[40]!;
  const matches = await idsFrom("SELECT post_id FROM post_search WHERE document @@ to_tsquery('stet_simple', $1) ORDER BY post_id DESC", [
    `${word}:*`,
  ]);
  const [oldestOfNewest] = await idsFrom(`SELECT post_id FROM post_search ORDER BY post_id DESC OFFSET ${NEWEST - 1} LIMIT 1`);
  const newest = matches.filter((id) => id >= oldestOfNewest!);
  expect(newest.length).toBeGreaterThanOrEqual(500);
  expect(matches.length).toBeGreaterThan(newest.length);
  const found = (await findAll(word, 150)).map(({ post }) => post.id);
  expect(found.toSorted()).toEqual(matches.toSorted());
  expect(found.slice(0, newest.length).toSorted()).toEqual(newest.toSorted());
});

test("a word that few posts have, and one with a typing error, are found in all of them", async () => {
  const [rare] = await idsFrom(
    "SELECT word AS post_id FROM ts_stat('SELECT head FROM post_search') WHERE ndoc BETWEEN 3 AND 6 AND length(word) > 6 ORDER BY word LIMIT 1",
  );
  const found = await findAll(rare!, 2);
  expect(found.length).toBeGreaterThanOrEqual(3);
  const misspelt = `${rare!.slice(0, -1)}q`;
  const alike = (await findAll(misspelt, 100)).map(({ post }) => post.id);
  const reference = await idsFrom("SELECT post_id FROM search_alike($1, ARRAY[$2])", [WEBSITE, misspelt]);
  expect(alike.toSorted()).toEqual(reference.toSorted());
});

test("a typing error in a frequent word is looked for in the newest posts, then in the ones before, each once", async () => {
  const misspelt = `${VOCABULARY[300]!.slice(0, -1)}qq`;
  const reference = await idsFrom("SELECT post_id FROM search_alike($1, ARRAY[$2])", [WEBSITE, misspelt]);
  expect(reference.length).toBeGreaterThan(40);
  expect((await findAll(misspelt, 200)).map(({ post }) => post.id).toSorted()).toEqual(reference.toSorted());
});

test.each(["⑴⑵⑶", "½½½", "a.*(", "日本語", "x".repeat(150)])("typing %s finds something or nothing, and never fails", async (text) => {
  await expect(store.search.search(WEBSITE, { text, language: "en", after: null, limit: 5 })).resolves.toMatchObject({
    rows: expect.any(Array) as unknown,
  });
});

test("counts of terms are read, not counted", async () => {
  const tags = Array.from({ length: 100 }, (_, n) => [largeTerm("tag", n)]);
  for (const counts of [await store.posts.countLiveByFacet(WEBSITE, tags), await store.posts.countByFacet(WEBSITE, tags)]) {
    const { rows } = await database.query<{ posts: number }>({
      text: "SELECT count(post_id) AS posts FROM unnest($2::text[]) WITH ORDINALITY AS tag (id, nth) LEFT JOIN live_facets ON website_id = $1 AND facet = id GROUP BY nth ORDER BY nth",
      values: [WEBSITE, tags.flat()],
    });
    expect(counts).toEqual(rows.map(({ posts }) => posts));
    expect((await costOf(last())).rowsRead).toBeLessThanOrEqual(tags.length);
  }
});

test("sweeps read nothing where there is nothing to do", async () => {
  const now = timestamp(new Date());
  for (const sweep of [
    () => store.revisions.listThinnable(now, null, 100),
    () => store.claims.listDoubtful(now, null, 100),
    () => store.posts.listPending(100),
    () => store.posts.listDeletedBefore(now, 100),
    () => store.posts.listRenderedBefore(1, 100),
  ]) {
    expect(await sweep()).toEqual([]);
    expect((await costOf(last())).rowsRead).toBe(0);
  }
});
