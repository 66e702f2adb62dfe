import type { PostId } from "#domain/ids";
import type { Change, ChangeFeed } from "#ports/content-store";
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
    async read(websiteId, since, limit) {
      const rows = await connection.rows<ChangeRow>(sql`
        SELECT kind, post_id, id, change_seq, removed FROM content_changes
        WHERE website_id = ${websiteId} AND change_seq > ${since ?? "0"}::bigint
        ORDER BY change_seq LIMIT ${limit}`);
      const last = rows.at(-1);
      return { changes: rows.map(changeOf), cursor: last ? String(last.change_seq) : (since ?? "0") };
    },
  };
}
