import type { PostId } from "#domain/ids";
import type { Change, ChangeFeed } from "#ports/change-feed";
import type { Connection } from "./connection.ts";
import { sql } from "./sql.ts";

interface ChangeRow {
  kind: Change["kind"];
  post_id: PostId | "";
  id: string;
  change_seq: number;
  removed: boolean;
}

const changeOf = ({ kind, post_id: postId, id, removed }: ChangeRow): Change => ({
  kind,
  id,
  removed,
  ...(postId === "" ? {} : { postId }),
});

/** Writes of a website commit in the order of their numbers (change-numbers.ts): a reader who sees one sees all before it. */
export function changeFeed(connection: Connection): ChangeFeed {
  return {
    async read(websiteId, since, limit, upTo = Number.MAX_SAFE_INTEGER) {
      const rows = await connection.rows<ChangeRow>(sql`
        SELECT kind, post_id, id, change_seq, removed FROM content_changes
        WHERE website_id = ${websiteId} AND change_seq > ${since ?? "0"}::bigint AND change_seq <= ${upTo}::bigint
        ORDER BY change_seq LIMIT ${limit}`);
      const last = rows.at(-1);
      const cursor = last ? String(last.change_seq) : (since ?? "0");
      return { changes: rows.map(changeOf), cursor, atEnd: rows.length < limit };
    },

    async newest(websiteId) {
      const [row] = await connection.rows<{ newest: number }>(
        sql`SELECT coalesce(max(change_seq), 0) AS newest FROM content_changes WHERE website_id = ${websiteId}`,
      );
      return Number(row!.newest);
    },

    async count(websiteId) {
      const [row] = await connection.rows<{ count: number }>(
        sql`SELECT count(*) AS count FROM content_changes WHERE website_id = ${websiteId} AND NOT removed`,
      );
      return Number(row!.count);
    },
  };
}
