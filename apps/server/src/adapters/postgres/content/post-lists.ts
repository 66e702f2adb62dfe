import { POST_STATUSES, type PostStatus } from "@stet/contract";
import { fold } from "#domain/fold";
import type { WebsiteId } from "#domain/ids";
import type { DatedPost, FacetFilter, ListSort, ListPage, PostListQuery, PostStore } from "#ports/content-store";
import type { Connection } from "./connection.ts";
import { countsOf, type GroupCount, wantedFacets } from "./facet-groups.ts";
import { contains, keyset, listPageOf } from "./keyset.ts";
import { HEAD_COLUMNS, headOf, SUMMARY_COLUMNS, summaryOf } from "./post-row.ts";
import { every, type Fragment, join, raw, sql } from "./sql.ts";
import { singleIndexLists, singleIndexStatus } from "./single-index-lists.ts";

type Lists = Pick<PostStore, "list" | "listHeads" | "listDated" | "countByStatus" | "countByFacet">;

const SORTS = {
  editedAt: { key: "edited_at", type: "timestamptz" },
  createdAt: { key: "created_at", type: "timestamptz" },
  publishedAt: { key: "live_published_at", type: "timestamptz" },
  title: { key: "title_key", type: "text" },
} as const;

/** As many rows are read as one of these says. How many is told to the planner in the text, and a few texts are few plans. */
const PAGES = [20, 50, 100];

function orderOf(sort: ListSort) {
  const descending = sort.startsWith("-");
  return { descending, ...SORTS[(descending ? sort.slice(1) : sort) as keyof typeof SORTS] };
}

export function postLists(connection: Connection): Lists {
  const readStraight = singleIndexLists(connection);

  async function read<Row extends { readonly id: string }, Out>(
    websiteId: WebsiteId,
    query: PostListQuery,
    columns: Fragment,
    present: (row: Row) => Out,
  ): Promise<ListPage<Out>> {
    const { limit } = query;
    const { key, ...direction } = orderOf(query.sort);
    const most = raw(String(1 + (PAGES.find((size) => size >= limit) ?? limit)));
    const filters = filtersOf(websiteId, query);
    const status = filters.length === 0 ? singleIndexStatus(query) : null;
    if (status) {
      const shape = { columns, status, key, direction, most };
      return listPageOf(await readStraight<Row & { key: string }>(shape, { websiteId, after: query.after }), limit, present);
    }
    const { condition, order } = keyset(query.after, key, "id", direction);
    // Without filters one plan is the best for any values; making it takes longer than reading the page.
    const ask = filters.length === 0 ? connection.prepared : connection.rows;
    const merged = keyset(null, "key", "id", direction);
    // Each status is read in order up to the limit, then they are merged: the index serves any choice of statuses. Only what
    // the index holds is read until the page is known, so that posts a filter leaves out cost little.
    const portion = ({ statuses, whose }: Portion) => sql`
      SELECT found.id, found.key
      FROM (SELECT unnest(${statuses}::text[]) AS wanted_status LIMIT ${raw(String(statuses.length))}) AS wanted
      CROSS JOIN LATERAL (
        SELECT id, ${raw(key)} AS key FROM posts
        WHERE website_id = ${websiteId} AND status = wanted_status AND ${whose} AND ${condition} AND ${every(filters)}
        ORDER BY ${order} LIMIT ${most}
      ) AS found`;
    const rows = await ask<Row & { key: string }>(sql`
      WITH page AS (
        SELECT id AS page_id, key FROM (${join(portionsOf(query).map(portion), " UNION ALL ")}) AS merged
        ORDER BY ${merged.order} LIMIT ${most}
      )
      SELECT ${columns}, key FROM page JOIN posts ON website_id = ${websiteId} AND id = page_id
      ORDER BY ${merged.order}`);
    return listPageOf(rows, limit, present);
  }

  return {
    list: (websiteId, query) => read(websiteId, query, SUMMARY_COLUMNS, summaryOf),
    listHeads: (websiteId, query) => read(websiteId, query, HEAD_COLUMNS, headOf),
    async listDated(websiteId, { statuses, from, to, ownOrPublished, limit }) {
      const read = (status: DatedPost["status"]) => {
        const [at, content] = status === "scheduled" ? [raw("scheduled_at"), raw("working")] : [raw("live_published_at"), raw("live")];
        const whose = status === "scheduled" && ownOrPublished !== undefined ? sql`owner_id = ${ownOrPublished}` : raw("true");
        return sql`(
          SELECT id, status, ${content} AS content, ${at} AS at FROM posts
          WHERE website_id = ${websiteId} AND status = ${raw(`'${status}'`)} AND ${at} >= ${from} AND ${at} < ${to} AND ${whose}
          ORDER BY ${at}, id LIMIT ${limit}
        )`;
      };
      if (statuses.length === 0) return [];
      const rows = await connection.rows<Omit<DatedPost, "title"> & { content: { title: string } }>(sql`
        SELECT id, status, content, at FROM (${join([...new Set(statuses)].map(read), " UNION ALL ")}) AS dated
        ORDER BY at, id LIMIT ${limit}`);
      return rows.map(({ id, status, at, content }) => ({ id, title: content.title, status, at }));
    },

    async countByStatus(websiteId, ownOrPublished) {
      const rows = await connection.rows<{ status: PostStatus; count: number }>(sql`
        SELECT status, posts AS count FROM post_counts
        WHERE website_id = ${websiteId} AND ${ownOrPublished === undefined ? raw("true") : raw("status = 'published'")}
        UNION ALL
        SELECT status, count(*) AS count FROM posts
        WHERE website_id = ${websiteId} AND owner_id = ${ownOrPublished ?? null} AND status <> 'published'
        GROUP BY status`);
      const counts = Object.fromEntries(POST_STATUSES.map((status) => [status, 0])) as Record<PostStatus, number>;
      for (const row of rows) counts[row.status] = row.count;
      return counts;
    },

    async countByFacet(websiteId, groups) {
      const wanted = wantedFacets(groups);
      const rows = await connection.rows<GroupCount>(sql`
        SELECT group_number, count(*) AS count FROM (
          SELECT group_number, post_id FROM ${wanted} JOIN working_facets ON website_id = ${websiteId} AND facet = wanted_facet
          UNION
          SELECT group_number, post_id FROM ${wanted} JOIN live_facets ON website_id = ${websiteId} AND facet = wanted_facet
        ) AS shown
        JOIN posts ON posts.website_id = ${websiteId} AND posts.id = shown.post_id AND posts.status <> 'deleted'
        GROUP BY group_number`);
      return countsOf(groups, rows);
    },
  };
}

interface Portion {
  readonly statuses: readonly PostStatus[];
  readonly whose: Fragment;
}

/** A contributor's view is two lists, so that each is read by index: what is published, and the rest of one's own. */
function portionsOf({ statuses, sort, ownOrPublished }: PostListQuery): readonly Portion[] {
  const wanted = [...new Set(statuses)];
  const published = wanted.filter((status) => status === "published");
  // As it stands in the index.
  if (sort.endsWith("publishedAt")) return [{ statuses: published, whose: raw("status = 'published'") }];
  if (ownOrPublished === undefined) return [{ statuses: wanted, whose: raw("true") }];
  return [
    { statuses: published, whose: raw("true") },
    { statuses: wanted.filter((status) => status !== "published"), whose: sql`owner_id = ${ownOrPublished}` },
  ];
}

function filtersOf(websiteId: WebsiteId, query: PostListQuery): readonly Fragment[] {
  const conditions = (query.facets ?? []).map((anyOf) => shows(websiteId, anyOf));
  if (query.titleContains !== undefined) conditions.push(contains("title_key", fold(query.titleContains)));
  if (query.ownerId !== undefined) conditions.push(sql`owner_id = ${query.ownerId}`);
  if (query.editedByTool !== undefined) conditions.push(sql`edited_by_tool = ${query.editedByTool}`);
  // As they stand in the indexes.
  if (query.reviewRequested !== undefined) conditions.push(raw(query.reviewRequested ? "review IS NOT NULL" : "review IS NULL"));
  if (query.hasUnpublishedChanges) conditions.push(raw("has_unpublished_changes"));
  return conditions;
}

/**
 * The posts of a facet are collected once and then looked up, also when a status has none of them. "IS TRUE" keeps it so: as a join
 * every post would be asked for its facets, one by one.
 */
const shows = (websiteId: WebsiteId, anyOf: FacetFilter[number]): Fragment => sql`(
  id IN (SELECT post_id FROM working_facets WHERE website_id = ${websiteId} AND facet = ANY (${anyOf}))
) IS TRUE`;
