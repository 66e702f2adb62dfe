import type { Statement, Transacting } from "#adapters/postgres/database";
import { openPostgresContent } from "#adapters/postgres/content/open";
import { at, buildContent, buildPublishedPost, testId } from "./builders.ts";
import { openTestDatabase } from "./postgres.ts";

export const [TAG, OTHER_TAG, EVERY_POST] = [testId("tag", 0), testId("tag", 1), testId("category", 1)];

interface Plan {
  readonly "Node Type": string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly Plan[];
}

/** A store whose last statement can be explained afterwards. */
export async function openExplainedStore() {
  const database = await openTestDatabase();
  let [last, lastButOne]: [Statement, Statement] = [{ text: "" }, { text: "" }];
  const spied: Transacting = {
    ...database,
    query(statement) {
      [last, lastButOne] = [{ text: statement.text, values: statement.values ?? [] }, last];
      return database.query(statement);
    },
  };
  const store = openPostgresContent(spied);
  return {
    database,
    store,
    /** The same posts, of whose titles one answer looks at so many. */
    inParts: (...titlesAtOnce: readonly number[]) => openPostgresContent(spied, { titlesAtOnce }),
    last: () => last,
    lastButOne: () => lastButOne,
    /** Every row that a statement took from a table or an index, whether it was of use or not; and by which kinds of step. */
    async costOf(statement: Statement): Promise<{ rowsRead: number; steps: Set<string> }> {
      const { rows } = await database.query<{ "QUERY PLAN": [{ Plan: Plan }] }>({
        text: `EXPLAIN (ANALYZE, FORMAT JSON) ${statement.text}`,
        values: statement.values ?? [],
      });
      const steps = new Set<string>();
      let rowsRead = 0;
      const visit = (plan: Plan): void => {
        steps.add(plan["Node Type"]);
        if (plan["Node Type"].endsWith("Scan") && !plan.Plans) {
          rowsRead += (plan["Actual Rows"] + (plan["Rows Removed by Filter"] ?? 0)) * plan["Actual Loops"];
        }
        for (const child of plan.Plans ?? []) visit(child);
      };
      visit(rows[0]!["QUERY PLAN"][0].Plan);
      return { rowsRead, steps };
    },
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
