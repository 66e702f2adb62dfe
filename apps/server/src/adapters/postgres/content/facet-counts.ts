import type { WebsiteId } from "#domain/ids";
import type { FacetFilter } from "#ports/live-posts";
import type { Connection } from "./connection.ts";
import { every, type Fragment, join, raw, sql } from "./sql.ts";

/** Where the posts of a facet stand: in their live copies, or in any copy of those that are not in the trash. */
type Counted = "live" | "shown";

interface KeptCount {
  readonly facet: string;
  readonly count: number;
}

/**
 * How many posts show any facet of each group, from the counts that every write keeps (migration 0390). Only where terms were merged can a
 * post show two facets of a group: then the posts of the less frequent ones are looked at, and no others.
 */
export async function countGroups(
  connection: Connection,
  websiteId: WebsiteId,
  groups: FacetFilter,
  counted: Counted,
): Promise<readonly number[]> {
  const facets = [...new Set(groups.flat())];
  if (facets.length === 0) return groups.map(() => 0);
  const rows = await connection.prepared<KeptCount | { facet: null }>(sql`
    SELECT facet, ${raw(counted)} AS count FROM facet_counts WHERE website_id = ${websiteId} AND facet = ANY (${facets})
    UNION ALL
    SELECT NULL, 0 FROM facet_counting WHERE website_id = ${websiteId}`);
  // While the posts of the website are counted for the first time, no count can be relied on.
  if (rows.some((row) => row.facet === null)) {
    const all = groups.flatMap((group, number) => group.map((facet) => ({ number, facet, most: null })));
    const found = await countBeside(connection, websiteId, all, counted);
    return groups.map((_, number) => found.get(number) ?? 0);
  }
  const counts = new Map((rows as KeptCount[]).map((row) => [row.facet, row.count]));
  const ranked = groups.map((group) =>
    [...new Set(group)]
      .map((facet) => ({ facet, count: counts.get(facet) ?? 0 }))
      .filter(({ count }) => count > 0)
      .toSorted((left, right) => right.count - left.count),
  );
  const others = ranked.flatMap(([most, ...rest], number) => rest.map(({ facet }) => ({ number, facet, most: most!.facet })));
  const beside = others.length === 0 ? new Map<number, number>() : await countBeside(connection, websiteId, others, counted);
  return ranked.map(([most], number) => (most?.count ?? 0) + (beside.get(number) ?? 0));
}

interface Other {
  /** The group's place in the list. */
  readonly number: number;
  readonly facet: string;
  /** Posts that show this one are counted already. */
  readonly most: string | null;
}

async function countBeside(
  connection: Connection,
  websiteId: WebsiteId,
  others: readonly Other[],
  counted: Counted,
): Promise<ReadonlyMap<number, number>> {
  const wanted = sql`unnest(${others.map(({ number }) => number)}::integer[], ${others.map(({ facet }) => facet)}::text[],
    ${others.map(({ most }) => most)}::text[]) AS wanted (group_number, wanted_facet, most)`;
  const tables = counted === "live" ? ["live_facets"] : ["live_facets", "working_facets"];
  const isCounted = (table: string): Fragment =>
    sql`EXISTS (SELECT FROM ${raw(table)} AS other WHERE other.website_id = ${websiteId} AND other.facet = most AND other.post_id = stored.post_id)`;
  const found = (table: string): Fragment => sql`
    SELECT group_number, post_id FROM ${wanted} JOIN ${raw(table)} AS stored ON website_id = ${websiteId} AND facet = wanted_facet
    WHERE ${every(tables.map((other) => sql`NOT ${isCounted(other)}`))}`;
  // In the trash a post has no live facets, and keeps its working ones.
  const kept = sql`JOIN posts ON posts.website_id = ${websiteId} AND posts.id = found.post_id AND posts.status <> 'deleted'`;
  const rows = await connection.rows<{ group_number: number; count: number }>(sql`
    SELECT group_number, count(DISTINCT post_id) AS count
    FROM (${join(tables.map(found), " UNION ALL ")}) AS found ${counted === "live" ? raw("") : kept}
    GROUP BY group_number`);
  return new Map(rows.map((row) => [row.group_number, row.count]));
}

/**
 * Counts the next posts of a website whose posts are older than the counts. Answers how many; 0 when all websites are counted. A write
 * that comes meanwhile waits for this part, or is counted by its trigger.
 */
export const countOlderPosts = (connection: Connection, limit: number): Promise<number> =>
  connection.transaction(async (runner) => {
    const [next] = await runner.rows<{ website_id: WebsiteId }>(sql`SELECT website_id FROM facet_counting ORDER BY website_id LIMIT 1`);
    if (!next) return 0;
    const mine = sql`website_id = ${next.website_id}`;
    await runner.rows(sql`SELECT FROM website_content WHERE ${mine} FOR UPDATE`);
    const [position] = await runner.rows<{ after_post_id: string }>(sql`SELECT after_post_id FROM facet_counting WHERE ${mine}`);
    // Another node was at it.
    if (!position) return 1;
    const [last] = await runner.rows<{ id: string; posts: number }>(sql`
      WITH batch AS MATERIALIZED (
        SELECT id, status, working_facets, live_facets FROM posts
        WHERE ${mine} AND id > ${position.after_post_id} ORDER BY id LIMIT ${limit}
      ),
      counted AS (
        INSERT INTO facet_counts AS kept (website_id, facet, live, shown)
        SELECT ${next.website_id}, facet, sum(each.live), sum(each.shown)
        FROM batch, counted_facets(status, working_facets, live_facets) AS each GROUP BY facet
        ON CONFLICT (website_id, facet) DO UPDATE SET live = kept.live + excluded.live, shown = kept.shown + excluded.shown
      )
      SELECT max(id) AS id, count(*) AS posts FROM batch`);
    await runner.rows(
      last && last.posts === limit
        ? sql`UPDATE facet_counting SET after_post_id = ${last.id} WHERE ${mine}`
        : sql`DELETE FROM facet_counting WHERE ${mine}`,
    );
    // A finished website counts too, so that the sweep comes again for the next one.
    return Math.max(1, last?.posts ?? 0);
  });
