import type { PostSort } from "@stet/contract";
import { FEATURED } from "#domain/facets";
import type { PostId } from "#domain/ids";
import type { FacetFilter, LiveListQuery, PostAddress, LivePosts } from "#ports/live-posts";
import type { After } from "#ports/list-page";
import type { Connection } from "./connection.ts";
import { countGroups } from "./facet-counts.ts";
import { keyrange, keyset, listPageOf, mostFor } from "./keyset.ts";
import { UNFEATURED } from "./post-columns.ts";
import { LIVE_BODY_COLUMNS, LIVE_COLUMNS, type LiveBodyRow, livePostOf, livePostWithBodyOf, type LiveRow } from "./post-row.ts";
import { every, type Fragment, raw, sql } from "./sql.ts";

type IdRow = { id: PostId; key: string };

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
        first ? narrowed(websiteId, query, first, others) : unnarrowed(websiteId, query, LIVE_COLUMNS, sql`${query.limit + 1}`),
      );
      return listPageOf(rows, query.limit, livePostOf);
    },

    async listLiveIds(websiteId, query) {
      const [first, ...others] = groupsOf(query);
      const rows = await (first
        ? connection.rows<IdRow>(
            sql`${pageOf(websiteId, query, first, others)} SELECT post_id AS id, key FROM page ORDER BY ${keyset(null, "key", "post_id", orderOf(query.sort)).order}`,
          )
        : connection.prepared<IdRow>(unnarrowed(websiteId, query, raw("id"), mostFor(query.limit))));
      return listPageOf(rows, query.limit, ({ id }) => id);
    },

    async listAddresses(websiteId, { after, limit }) {
      const { condition, order } = keyset(after, "created_at", "id", orderOf("createdAt"));
      const rows = await connection.rows<PostAddress & { id: PostId; key: string }>(sql`
        SELECT id, created_at AS key, live->>'slug' AS slug, live_updated_at AS "updatedAt",
          coalesce((live->'seo'->>'noindex')::boolean, false) AS noindex
        FROM posts WHERE website_id = ${websiteId} AND status = 'published' AND ${condition}
        ORDER BY ${order} LIMIT ${limit + 1}`);
      return listPageOf(rows, limit, ({ slug, updatedAt, noindex }) => ({ slug, updatedAt, noindex }));
    },

    async skipLive(websiteId, after, count) {
      const { condition, order } = keyset(after, "created_at", "id", orderOf("createdAt"));
      const [found, another] = await connection.rows<After>(sql`
        SELECT id, created_at AS key FROM posts WHERE website_id = ${websiteId} AND status = 'published' AND ${condition}
        ORDER BY ${order} OFFSET ${count - 1} LIMIT 2`);
      return found && another ? { key: found.key, id: found.id } : null;
    },

    async getLive(websiteId, id) {
      const [row] = await connection.prepared<LiveBodyRow>(sql`
        SELECT ${LIVE_BODY_COLUMNS} FROM posts WHERE website_id = ${websiteId} AND id = ${id} AND status = 'published'`);
      return row ? livePostWithBodyOf(row) : null;
    },

    async getLiveBySlug(websiteId, slug) {
      const [row] = await connection.lookUp<LiveBodyRow>(sql`
        SELECT ${LIVE_BODY_COLUMNS} FROM posts
        WHERE website_id = ${websiteId} AND status = 'published'
          AND id = (SELECT owner_id FROM slug_claims WHERE website_id = ${websiteId} AND space = 'post' AND slug = ${slug})`);
      return row ? livePostWithBodyOf(row) : null;
    },

    async getManyLive(websiteId, ids) {
      const rows = await connection.rows<LiveRow>(sql`
        SELECT ${LIVE_COLUMNS} FROM posts WHERE website_id = ${websiteId} AND id = ANY (${ids}) AND status = 'published'`);
      return rows.map(livePostOf);
    },

    countLiveByFacet: (websiteId, groups) => countGroups(connection, websiteId, groups, "live"),

    async listPastSlugs(websiteId, { after, limit }) {
      // Each post found has one at least, but for the last one seen, which may have no more: two beyond the limit are enough.
      const rows = await connection.rows<{ id: PostId; key: string; current: string }>(sql`
        SELECT id, key, current
        FROM (
          SELECT id, past_slugs, live->>'slug' AS current FROM posts
          WHERE website_id = ${websiteId} AND status = 'published' AND past_slugs <> '{}'
            AND ${after ? sql`id >= ${after.id}` : raw("true")}
          ORDER BY id LIMIT ${limit + 2}
        ) AS renamed
        CROSS JOIN LATERAL (SELECT past COLLATE "C" AS key FROM unnest(past_slugs) AS past GROUP BY past) AS pasts
        WHERE ${after ? sql`(id, key) > (${after.id}, ${after.key})` : raw("true")}
        ORDER BY id, key LIMIT ${limit + 1}`);
      return listPageOf(rows, limit, ({ id, key, current }) => ({ slug: key, currentSlug: current, postId: id }));
    },
  };
}

function unnarrowed(websiteId: string, { sort, after }: LiveListQuery, columns: Fragment, most: Fragment): Fragment {
  const { key, ...direction } = orderOf(sort);
  const { condition, order } = keyset(after, key, "id", direction);
  return sql`
    SELECT ${columns}, ${raw(key)} AS key FROM posts
    WHERE website_id = ${websiteId} AND status = 'published' AND ${condition}
    ORDER BY ${order} LIMIT ${most}`;
}

/**
 * Each facet of the first group is read in order up to the limit, then they are merged and doubles dropped: an index scan for
 * each, at any depth. The other groups are looked up in every post found. Posts are looked up one by one (`LIMIT 1`), never
 * joined by reading all of them.
 */
function pageOf(websiteId: string, { sort, after, limit }: LiveListQuery, first: readonly string[], others: FacetFilter): Fragment {
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
    )`;
}

function narrowed(websiteId: string, query: LiveListQuery, first: readonly string[], others: FacetFilter): Fragment {
  const merged = keyset(null, "key", "post_id", orderOf(query.sort));
  return sql`
    ${pageOf(websiteId, query, first, others)}
    SELECT post.*, key
    FROM page CROSS JOIN LATERAL (SELECT ${LIVE_COLUMNS} FROM posts WHERE website_id = ${websiteId} AND id = post_id LIMIT 1) AS post
    ORDER BY ${merged.order}`;
}
