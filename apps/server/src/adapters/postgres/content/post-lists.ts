import { POST_STATUSES, type PostStatus } from "@stet/contract";
import { fold } from "#domain/fold";
import type { FacetFilter, ListSort, PostListQuery, PostStore } from "#ports/content-store";
import type { Connection } from "./connection.ts";
import { countsOf, type GroupCount, wantedFacets } from "./facet-groups.ts";
import { contains, keyset, pageOf } from "./keyset.ts";
import { SUMMARY_COLUMNS, summaryOf, type SummaryRow } from "./post-row.ts";
import { every, type Fragment, raw, sql } from "./sql.ts";

type Lists = Pick<PostStore, "list" | "countByStatus" | "countByFacet">;

const SORTS = {
  editedAt: { key: "edited_at", type: "timestamptz" },
  createdAt: { key: "created_at", type: "timestamptz" },
  title: { key: "title_key", type: "text" },
} as const;

function orderOf(sort: ListSort) {
  const descending = sort.startsWith("-");
  return { descending, ...SORTS[(descending ? sort.slice(1) : sort) as keyof typeof SORTS] };
}

export function postLists(connection: Connection): Lists {
  return {
    async list(websiteId, query) {
      const { limit } = query;
      const { key, ...direction } = orderOf(query.sort);
      const { condition, order } = keyset(query.after, key, "id", direction);
      // Each status is read in order up to the limit, then they are merged: the index serves any choice of statuses.
      const rows = await connection.rows<SummaryRow & { key: string }>(sql`
        SELECT ${SUMMARY_COLUMNS}, ${raw(key)} AS key
        FROM unnest(${[...new Set(query.statuses)]}::text[]) AS wanted (wanted_status)
        CROSS JOIN LATERAL (
          SELECT ${SUMMARY_COLUMNS}, title_key FROM posts
          WHERE website_id = ${websiteId} AND status = wanted_status AND ${condition} AND ${filtersOf(query)}
          ORDER BY ${order} LIMIT ${limit + 1}
        ) AS found
        ORDER BY ${order} LIMIT ${limit + 1}`);
      return pageOf(rows, limit, summaryOf);
    },

    async countByStatus(websiteId, ownOrPublished) {
      const rows = await connection.rows<{ status: PostStatus; count: number }>(sql`
        SELECT status, count(*) AS count FROM posts
        WHERE website_id = ${websiteId} AND ${ownOrPublished === undefined ? raw("true") : visibleTo(ownOrPublished)}
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

const visibleTo = (userId: string): Fragment => sql`(owner_id = ${userId} OR status = 'published')`;

function filtersOf(query: PostListQuery): Fragment {
  const conditions = (query.facets ?? []).map(shows);
  if (query.titleContains !== undefined) conditions.push(contains("title_key", fold(query.titleContains)));
  if (query.ownOrPublished !== undefined) conditions.push(visibleTo(query.ownOrPublished));
  if (query.ownerId !== undefined) conditions.push(sql`owner_id = ${query.ownerId}`);
  if (query.editedByTool !== undefined) conditions.push(sql`edited_by_tool = ${query.editedByTool}`);
  if (query.reviewRequested !== undefined) conditions.push(sql`(review IS NOT NULL) = ${query.reviewRequested}`);
  return every(conditions);
}

const shows = (anyOf: FacetFilter[number]): Fragment => sql`EXISTS (
  SELECT FROM working_facets
  WHERE working_facets.website_id = posts.website_id AND facet = ANY (${anyOf}) AND working_facets.post_id = posts.id
)`;
