import { POST_STATUSES, type PostStatus } from "@stet/contract";
import { fold } from "#domain/fold";
import type { WebsiteId } from "#domain/ids";
import type { DatedPost, ListSort, PostListQuery, PostStore } from "#ports/content-store";
import type { ListPage } from "#ports/list-page";
import type { Connection } from "./connection.ts";
import { countGroups } from "./facet-counts.ts";
import { contains, keyset, listPageOf, mostFor } from "./keyset.ts";
import { HEAD_COLUMNS, headOf, SUMMARY_COLUMNS, summaryOf } from "./post-row.ts";
import { every, type Fragment, join, raw, sql } from "./sql.ts";
import { singleIndexLists, singleIndexStatus } from "./single-index-lists.ts";
import { type PartEnd, titleParts } from "./title-parts.ts";

type Lists = Pick<PostStore, "list" | "listHeads" | "listDated" | "countByStatus" | "countByFacet">;

const SORTS = {
  editedAt: { key: "edited_at", type: "timestamptz" },
  createdAt: { key: "created_at", type: "timestamptz" },
  publishedAt: { key: "live_published_at", type: "timestamptz" },
  title: { key: "title_key", type: "text" },
} as const;

function orderOf(sort: ListSort) {
  const descending = sort.startsWith("-");
  return { descending, ...SORTS[(descending ? sort.slice(1) : sort) as keyof typeof SORTS] };
}

export function postLists(connection: Connection, titlesAtOnce?: readonly number[]): Lists {
  const readStraight = singleIndexLists(connection);

  async function read<Row extends { readonly id: string }, Out>(
    websiteId: WebsiteId,
    query: PostListQuery,
    columns: Fragment,
    present: (row: Row) => Out,
  ): Promise<ListPage<Out>> {
    const { limit } = query;
    const { key, ...direction } = orderOf(query.sort);
    const most = mostFor(limit);
    const filters = [...(await facetFilters(connection, websiteId, query)), ...filtersOf(query)];
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
    const portion = (conditions: readonly Fragment[], { statuses, whose }: Portion) => sql`
      SELECT found.id, found.key
      FROM (SELECT unnest(${statuses}::text[]) AS wanted_status LIMIT ${raw(String(statuses.length))}) AS wanted
      CROSS JOIN LATERAL (
        SELECT id, ${raw(key)} AS key FROM posts
        WHERE website_id = ${websiteId} AND status = wanted_status AND ${whose} AND ${condition} AND ${every(conditions)}
        ORDER BY ${order} LIMIT ${most}
      ) AS found`;
    const readTo = async (end: PartEnd | null): Promise<ListPage<Out>> => {
      const conditions = end ? [...filters, end.condition] : filters;
      const portions = portionsOf(query).map((each) => portion(conditions, each));
      const rows = await ask<Row & { key: string }>(sql`
        WITH page AS (
          SELECT id AS page_id, key FROM (${join(portions, " UNION ALL ")}) AS merged
          ORDER BY ${merged.order} LIMIT ${most}
        )
        SELECT ${columns}, key FROM page JOIN posts ON website_id = ${websiteId} AND id = page_id
        ORDER BY ${merged.order}`);
      return listPageOf(rows, limit, present);
    };
    if (query.titleContains === undefined) return readTo(null);
    let page: ListPage<Out> = { rows: [], next: null };
    for await (const end of titleParts(connection, websiteId, query, { key, ...direction }, titlesAtOnce)) {
      page = await readTo(end);
      if (page.next || !end) break;
      page = { ...page, next: end.position };
    }
    return page;
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

    countByFacet: (websiteId, groups) => countGroups(connection, websiteId, groups, "shown"),
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

function filtersOf(query: PostListQuery): readonly Fragment[] {
  const conditions: Fragment[] = [];
  if (query.titleContains !== undefined) conditions.push(contains("title_key", fold(query.titleContains)));
  if (query.ownerId !== undefined) conditions.push(sql`owner_id = ${query.ownerId}`);
  if (query.editedByTool !== undefined) conditions.push(sql`edited_by_tool = ${query.editedByTool}`);
  // As they stand in the indexes.
  if (query.reviewRequested !== undefined) conditions.push(raw(query.reviewRequested ? "review IS NOT NULL" : "review IS NULL"));
  if (query.hasUnpublishedChanges) conditions.push(raw("has_unpublished_changes"));
  return conditions;
}

/** With fewer posts, those of any facet are collected. */
const MANY_POSTS = 20_000;
/** Where one published post in so many shows a facet, enough of them are met soon while a list is read. */
const FREQUENT = 50;

/**
 * The posts of a facet are collected once and then looked up, also when a status has none of them. "IS TRUE" keeps it so: as a join
 * every post would be asked for its facets, one by one. Of a frequent facet there are too many to collect: there each post is asked.
 */
async function facetFilters(
  connection: Connection,
  websiteId: WebsiteId,
  { facets: groups = [], statuses }: PostListQuery,
): Promise<readonly Fragment[]> {
  if (groups.length === 0) return [];
  const frequent = await connection.prepared<{ facet: string }>(sql`
    SELECT facet FROM facet_counts WHERE website_id = ${websiteId} AND facet = ANY (${groups.flat()}) AND live * ${FREQUENT}::bigint > (
      SELECT posts FROM post_counts WHERE website_id = ${websiteId} AND status = 'published' AND posts > ${MANY_POSTS}::bigint
    )`);
  const isFrequent = (facet: string): boolean => statuses.includes("published") && frequent.some((row) => row.facet === facet);
  return groups.map((anyOf) =>
    anyOf.some(isFrequent)
      ? sql`working_facets && ${anyOf}::text[]`
      : sql`(id IN (SELECT post_id FROM working_facets WHERE website_id = ${websiteId} AND facet = ANY (${anyOf}))) IS TRUE`,
  );
}
