import { expect, test } from "vitest";
import { registry } from "#operations/registry";
import { buildContent, buildPost, buildPublishedPost, edited, testId, WEBSITE } from "#test/builders";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestDatabase } from "#test/postgres";
import { openTestServices } from "#test/services";
import type { Queryable } from "../database.ts";
import { migrate, readMigrations } from "../migrate.ts";
import { openPostgresContent } from "./open.ts";

const [red, blue] = [testId("tag", 1), testId("tag", 2)];
const groups = [[red], [blue], [red, blue]];
const tagged = (n: number, ...tagIds: readonly (typeof red)[]) => buildContent(n, { tagIds });

/** Where the kept counts differ from what the posts say. */
async function wrongCounts(database: Queryable) {
  const { rows } = await database.query({
    text: `SELECT website_id, facet, live, shown FROM facet_counts
      EXCEPT SELECT website_id, facet, sum(each.live), sum(each.shown)
        FROM posts, counted_facets(status, working_facets, live_facets) AS each GROUP BY website_id, facet`,
  });
  return rows;
}

test("posts from before the counts are counted a part at a time, while others are written, and no answer is wrong meanwhile", async () => {
  const database = await openTestDatabase({ migrated: false });
  const all = await readMigrations();
  await migrate(
    database,
    {},
    all.filter(({ name }) => name < "0390"),
  );
  const content = openPostgresContent(database);
  const before = (n: number) => buildPublishedPost(n, { working: tagged(n, red) });
  const [first, second, third, last] = [before(1), before(2), before(3), before(9)] as const;
  for (const post of [first, second, third, last]) await content.posts.insert(post, { visible: true });
  await migrate(database);

  const counts = async () => [await content.posts.countLiveByFacet(WEBSITE, groups), await content.posts.countByFacet(WEBSITE, groups)];
  expect(await counts()).toEqual([
    [4, 0, 4],
    [4, 0, 4],
  ]);
  expect(await content.posts.countOlder(2)).toBe(2);
  // One that was counted, one that was not, a new one on either side, and one that goes.
  await content.posts.save(edited(first, { status: "unpublished", working: tagged(1, blue) }), { visible: true });
  await content.posts.save(edited(third, { working: tagged(3, red, blue) }), { visible: false });
  await content.posts.insert(buildPublishedPost(5, { working: tagged(5, blue) }), { visible: true });
  await content.posts.insert(buildPost(0, { working: tagged(0, blue) }), { visible: false });
  await content.posts.purge(WEBSITE, last.id, last.version);
  const now = [
    [2, 1, 3],
    [2, 4, 5],
  ];
  expect(await counts()).toEqual(now);
  for (let left = 10; (await content.posts.countOlder(2)) > 0 && left > 0; left--);
  expect(await counts()).toEqual(now);
  expect((await database.query({ text: "SELECT FROM facet_counting" })).rowCount).toBe(0);
  expect(await wrongCounts(database)).toEqual([]);
  await content.close();
  await database.close();
});

const services = closedAtEnd(await openTestServices());

test("merging terms, the trash and unpublishing leave true counts, and erasing leaves none", async () => {
  const { actor, website } = await services.makeTenant();
  const here = { websiteId: website.id };
  const tag = (name: string) => services.call(registry.create_term, actor, { ...here, kind: "tag", name });
  const [one, two] = [await tag("One"), await tag("Two")];
  const create = async (tagIds: readonly string[]) => {
    const post = await services.call(registry.create_post, actor, { ...here, title: "A post", tagIds });
    return services.call(registry.publish_post, actor, { ...here, postId: post.id, expectedVersion: post.version });
  };
  const both = await create([one.id, two.id]);
  await create([one.id]);
  const third = await create([two.id]);
  await services.call(registry.merge_terms, actor, { ...here, sourceId: two.id, targetId: one.id });
  const listed = async () => {
    const { items } = await services.call(registry.list_terms, actor, { ...here, kind: "tag" });
    return items.map(({ name, postCount }) => [name, postCount]);
  };
  expect(await listed()).toEqual([["One", 3]]);
  const gone = await services.call(registry.delete_post, actor, { ...here, postId: both.id, expectedVersion: both.version });
  expect(await listed()).toEqual([["One", 2]]);
  await services.call(registry.restore_post, actor, { ...here, postId: both.id, expectedVersion: gone.version });
  await services.call(registry.unpublish_post, actor, { ...here, postId: third.id, expectedVersion: third.version });
  expect(await listed()).toEqual([["One", 3]]);
  expect(await wrongCounts(services.database)).toEqual([]);

  for (let left = 30; left > 0 && !(await services.contentOf(website).eraseWebsite(website.id, 3)); left--);
  const { rows } = await services.database.query({ text: "SELECT facet FROM facet_counts WHERE website_id = $1", values: [website.id] });
  expect(rows).toEqual([]);
});
