import type { PostSort } from "@stet/contract";
import { FEATURED } from "#domain/facets";
import type { FacetFilter, LiveListQuery, PostStore } from "#ports/content-store";
import type { Connection } from "./connection.ts";
import { countsOf, type GroupCount, wantedFacets } from "./facet-groups.ts";
import { keyrange, keyset, listPageOf } from "./keyset.ts";
import { UNFEATURED } from "./post-columns.ts";
import { LIVE_BODY_COLUMNS, LIVE_COLUMNS, type LiveBodyRow, livePostOf, livePostWithBodyOf, type LiveRow } from "./post-row.ts";
import { every, type Fragment, raw, sql } from "./sql.ts";

type LivePosts = Pick<PostStore, "listLive" | "getLive" | "getManyLive" | "countLiveByFacet">;

/** Each sort's column in `posts` and in `live_facets`. */
const SORTS = {
  publishedAt: { key: "live_published_at", facetKey: "published_at", type: "timestamptz" },
  createdAt: { key: "created_at", facetKey: "created_at", type: "timestamptz" },
  updatedAt: { key: "live_updated_at", facetKey: "updated_at", type: "timestamptz" },
  title: { key: "live_title_key", facetKey: "title_key", type: "text" },
} as const;

function orderOf(sort: PostSort) {
  const descending = sort.startsWith("-");
  return { descending, ...SORTS[(descending ? sort.slice(1) : sort) as keyof typeof SORTS] };
}

function groupsOf({ facets = [], featured }: LiveListQuery): FacetFilter {
  if (featured === undefined) return facets;
  return [...facets, [featured ? FEATURED : UNFEATURED]];
}

export function livePosts(connection: Connection): LivePosts {
  return {
    async listLive(websiteId, query) {
      const [first, ...others] = groupsOf(query);
      const rows = await connection.rows<LiveRow & { key: string }>(
        first ? narrowed(websiteId, query, first, others) : unnarrowed(websiteId, query),
      );
      return listPageOf(rows, query.limit, livePostOf);
    },

    async getLive(websiteId, id) {
      const [row] = await connection.prepared<LiveBodyRow>(sql`
        SELECT ${LIVE_BODY_COLUMNS} FROM posts WHERE website_id = ${websiteId} AND id = ${id} AND status = 'published'`);
      return row ? livePostWithBodyOf(row) : null;
    },

    async getManyLive(websiteId, ids) {
      const rows = await connection.rows<LiveRow>(sql`
        SELECT ${LIVE_COLUMNS} FROM posts WHERE website_id = ${websiteId} AND id = ANY (${ids}) AND status = 'published'`);
      return rows.map(livePostOf);
    },

    async countLiveByFacet(websiteId, groups) {
      // Only where a group has several facets can a post come twice; telling so costs a sort.
      const posts = raw(groups.some((group) => group.length > 1) ? "count(DISTINCT post_id)" : "count(*)");
      const rows = await connection.rows<GroupCount>(sql`
        SELECT group_number, ${posts} AS count
        FROM ${wantedFacets(groups)} JOIN live_facets ON website_id = ${websiteId} AND facet = wanted_facet
        GROUP BY group_number`);
      return countsOf(groups, rows);
    },
  };
}

function unnarrowed(websiteId: string, { sort, after, limit }: LiveListQuery): Fragment {
  const { key, ...direction } = orderOf(sort);
  const { condition, order } = keyset(after, key, "id", direction);
  return sql`
    SELECT ${LIVE_COLUMNS}, ${raw(key)} AS key FROM posts
    WHERE website_id = ${websiteId} AND status = 'published' AND ${condition}
    ORDER BY ${order} LIMIT ${limit + 1}`;
}

/**
 * Each facet of the first group is read in order up to the limit, then they are merged and doubles dropped: an index scan for
 * each, at any depth. The other groups are looked up in every post found. Posts are looked up one by one (`LIMIT 1`), never
 * joined by reading all of them.
 */
function narrowed(websiteId: string, { sort, after, limit }: LiveListQuery, first: readonly string[], others: FacetFilter): Fragment {
  const { facetKey, ...direction } = orderOf(sort);
  const prefix = [
    { column: "website_id", value: sql`${websiteId}` },
    { column: "facet", value: raw("wanted_facet") },
  ];
  const { condition, order } = keyrange(after, prefix, facetKey, "post_id", direction);
  const merged = keyset(null, "key", "post_id", direction);
  const inOthers = others.map((anyOf) => sql`posts.live_facets && ${anyOf}::text[]`);
  const isInOthers = sql`(SELECT ${every(inOthers)} FROM posts WHERE website_id = ${websiteId} AND id = post_id LIMIT 1)`;
  return sql`
    WITH page AS (
      SELECT DISTINCT key, post_id
      FROM unnest(${[...new Set(first)]}::text[]) AS wanted (wanted_facet)
      CROSS JOIN LATERAL (
        SELECT ${raw(facetKey)} AS key, post_id FROM live_facets
        WHERE ${condition} AND ${others.length === 0 ? raw("true") : isInOthers}
        ORDER BY ${order} LIMIT ${limit + 1}
      ) AS found
      ORDER BY ${merged.order} LIMIT ${limit + 1}
    )
    SELECT post.*, key
    FROM page CROSS JOIN LATERAL (SELECT ${LIVE_COLUMNS} FROM posts WHERE website_id = ${websiteId} AND id = post_id LIMIT 1) AS post
    ORDER BY ${merged.order}`;
}
