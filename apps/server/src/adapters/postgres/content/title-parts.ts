import { POST_STATUSES, type PostStatus } from "@stet/contract";
import type { WebsiteId } from "#domain/ids";
import type { PostListQuery } from "#ports/content-store";
import type { After } from "#ports/list-page";
import type { Connection } from "./connection.ts";
import { keyset } from "./keyset.ts";
import { type Fragment, join, raw, sql } from "./sql.ts";

/**
 * How many titles of a status one answer looks at: first a few, among which a page of a frequent word is found; then at most so many. An
 * entry of an index that holds titles takes up to 1 µs, and where whole posts have to be read some µs. With fewer titles all are looked at.
 */
const TITLES_AT_ONCE: readonly number[] = [1_000, 50_000];

interface Order {
  readonly key: string;
  readonly descending: boolean;
  readonly type: "timestamptz" | "text";
}

/** Where one answer ends. It is a position, not a number of posts: the list goes on after it, whatever is written meanwhile. */
export interface PartEnd {
  readonly position: After;
  /** That a post lies before it, or is there. */
  readonly condition: Fragment;
}

/**
 * The ends of growing parts of a list in which a part of a title is looked for; null for the end of the list, which then is the last.
 * They are found in indexes alone, whatever else the list is narrowed by.
 */
export async function* titleParts(
  connection: Connection,
  websiteId: WebsiteId,
  query: PostListQuery,
  { key, ...direction }: Order,
  titlesAtOnce = TITLES_AT_ONCE,
): AsyncGenerator<PartEnd | null> {
  const statuses = POST_STATUSES.filter((status) => isBounded(query, status));
  const counts = await connection.prepared<{ status: PostStatus }>(sql`
    SELECT status FROM post_counts
    WHERE website_id = ${websiteId} AND status = ANY (${statuses}) AND posts > ${Math.max(...titlesAtOnce)}::bigint`);
  const large = statuses.filter((status) => counts.some((count) => count.status === status));
  if (large.length === 0) return yield null;
  const { condition, order } = keyset(query.after, key, "id", direction);
  const merged = keyset(null, "key", "id", direction);
  const upTo = raw(direction.descending ? ">=" : "<=");
  for (const titles of titlesAtOnce) {
    const endOf = (status: PostStatus) => sql`(
      SELECT id, ${raw(key)} AS key FROM posts WHERE website_id = ${websiteId} AND status = ${raw(`'${status}'`)} AND ${condition}
      ORDER BY ${order} OFFSET ${titles - 1} LIMIT 1
    )`;
    const [end] = await connection.rows<After>(sql`
      SELECT id, key FROM (${join(large.map(endOf), " UNION ALL ")}) AS ends ORDER BY ${merged.order} LIMIT 1`);
    if (!end) return yield null;
    yield { position: end, condition: sql`(${raw(key)}, id) ${upTo} (${end.key}::${raw(direction.type)}, ${end.id})` };
  }
}

/** By publication only what is published is listed. Of what is not, a contributor's view holds one's own: a position must not name others. */
function isBounded({ statuses, sort, ownOrPublished }: PostListQuery, status: PostStatus): boolean {
  if (!statuses.includes(status)) return false;
  return status === "published" || (!sort.endsWith("publishedAt") && ownOrPublished === undefined);
}
