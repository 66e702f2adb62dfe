import type { Statement } from "#adapters/postgres/database";
import { openPostgresContent } from "#adapters/postgres/content/open";
import { at, buildContent, buildPublishedPost, testId } from "./builders.ts";
import { openTestDatabase } from "./postgres.ts";

export const [TAG, OTHER_TAG, EVERY_POST] = [testId("tag", 0), testId("tag", 1), testId("category", 1)];

/** A store whose last statement can be explained afterwards. */
export async function openExplainedStore() {
  const database = await openTestDatabase();
  let last: Statement = { text: "" };
  const store = openPostgresContent({
    ...database,
    query(statement) {
      last = { text: statement.text, values: statement.values ?? [] };
      return database.query(statement);
    },
  });
  return {
    database,
    store,
    last: () => last,
    /** Posts whose titles, dates, tags and stars differ; every third moment has three of them. */
    async fill(posts: number): Promise<void> {
      for (let n = 0; n < posts; n += 8) {
        const some = Array.from({ length: Math.min(8, posts - n) }, (_, offset) => published(n + offset));
        await Promise.all(some.map((post) => store.posts.insert(post, { visible: true })));
      }
    },
  };
}

function published(n: number) {
  const working = buildContent(n, {
    title: `Title ${(n * 7) % 100}`,
    tagIds: [testId("tag", n % 2)],
    categoryIds: [EVERY_POST],
    featured: n % 2 === 0,
  });
  const moment = at(Math.floor(n / 3));
  return buildPublishedPost(n, { working, createdAt: moment, editedAt: moment }, { publishedAt: moment, updatedAt: moment });
}
