import type { PostRef, PostStore } from "#ports/content-store";
import type { Connection } from "./connection.ts";
import { countOlderPosts } from "./facet-counts.ts";
import { POST_COLUMNS, postOf, type PostRow } from "./post-row.ts";
import { NOT_MOVED } from "./not-moved.ts";
import { sql } from "./sql.ts";

type Sweeps = Pick<PostStore, "listPending" | "finishInterrupted" | "countOlder" | "listDeletedBefore" | "listRenderedBefore">;

interface RefRow {
  website_id: PostRef["websiteId"];
  id: PostRef["id"];
}
const refOf = (row: RefRow): PostRef => ({ websiteId: row.website_id, id: row.id });

/** Over all websites, each by a partial index that holds only what there is to do. */
export function postSweeps(connection: Connection): Sweeps {
  return {
    async listPending(limit) {
      const rows = await connection.rows<PostRow>(sql`
        SELECT ${POST_COLUMNS} FROM posts
        WHERE (pending_event_ids <> '{}' OR pending_revision_id IS NOT NULL) AND ${NOT_MOVED}
        ORDER BY edited_at, website_id, id LIMIT ${limit}`);
      return rows.map(postOf);
    },

    finishInterrupted: async () => {},

    countOlder: (limit) => countOlderPosts(connection, limit),

    async listDeletedBefore(before, limit) {
      const rows = await connection.rows<RefRow>(sql`
        SELECT website_id, id FROM posts WHERE status = 'deleted' AND deleted_at < ${before} AND ${NOT_MOVED}
        ORDER BY deleted_at, website_id, id LIMIT ${limit}`);
      return rows.map(refOf);
    },

    async listRenderedBefore(rendererVersion, limit) {
      const rows = await connection.rows<RefRow>(sql`
        SELECT website_id, id FROM posts WHERE live_renderer_version < ${rendererVersion} AND ${NOT_MOVED}
        ORDER BY live_renderer_version, website_id, id LIMIT ${limit}`);
      return rows.map(refOf);
    },
  };
}
