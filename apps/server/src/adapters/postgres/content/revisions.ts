import type { RevisionStore } from "#ports/revision-store";
import type { Connection } from "./connection.ts";
import { keyset, listPageOf } from "./keyset.ts";
import { removeRecords } from "./remove-records.ts";
import { HEAD_COLUMNS, headOf, type HeadRow, putRevision, revisionOf, type RevisionRow } from "./revision-row.ts";
import { NOT_MOVED } from "./not-moved.ts";
import { raw, sql } from "./sql.ts";
import { takeChangeNumbers, addToFeed } from "./change-numbers.ts";

export function revisionStore(connection: Connection): RevisionStore {
  return {
    async list(websiteId, postId, { after, limit }) {
      const { condition, order } = keyset(after, "at", "id", { descending: true, type: "timestamptz" });
      const rows = await connection.rows<HeadRow & { key: string }>(sql`
        SELECT ${HEAD_COLUMNS}, at AS key FROM revisions
        WHERE website_id = ${websiteId} AND post_id = ${postId} AND ${condition}
        ORDER BY ${order} LIMIT ${limit + 1}`);
      return listPageOf(rows, limit, headOf);
    },

    async get(websiteId, postId, id) {
      const [row] = await connection.prepared<RevisionRow>(sql`
        SELECT ${HEAD_COLUMNS}, content, body FROM revisions WHERE website_id = ${websiteId} AND post_id = ${postId} AND id = ${id}`);
      return row ? revisionOf(row) : null;
    },

    async latest(websiteId, postId) {
      // Every autosave asks.
      const [row] = await connection.lookUp<HeadRow>(sql`
        SELECT ${HEAD_COLUMNS} FROM revisions WHERE website_id = ${websiteId} AND post_id = ${postId} ORDER BY at DESC, id DESC LIMIT 1`);
      return row ? headOf(row) : null;
    },

    async put(revision) {
      const { websiteId, postId, id } = revision;
      await connection.prepared(sql`
        WITH ${takeChangeNumbers(websiteId, { visible: false, condition: raw("true") })},
        put AS (${putRevision(revision, raw("counted"))} RETURNING id),
        fed AS (${addToFeed({ websiteId, kind: "revision", postId, id }, raw("put"))})
        SELECT FROM put`);
    },

    async putIfNewer(revision) {
      const rows = await connection.prepared(sql`
        WITH ${takeChangeNumbers(revision.websiteId, { visible: false, condition: raw("true") })},
        put AS (${putRevision(revision, raw("counted"))} WHERE revisions.version <= excluded.version RETURNING id),
        fed AS (${addToFeed({ ...revision, kind: "revision" }, raw("put"))})
        SELECT FROM put`);
      return rows.length > 0 ? "saved" : "stale";
    },

    async listThinnable(before, after, limit) {
      const rows = await connection.rows<HeadRow>(sql`
        SELECT ${HEAD_COLUMNS} FROM revisions
        WHERE at < ${before} AND NOT was_live AND NOT kept AND ${NOT_MOVED}
          AND ${after ? sql`(website_id, post_id, id) > (${after.websiteId}, ${after.postId}, ${after.id})` : raw("true")}
        ORDER BY website_id, post_id, id LIMIT ${limit}`);
      return rows.map(headOf);
    },

    async keep(heads) {
      await connection.rows(sql`
        UPDATE revisions SET kept = true
        FROM unnest(${heads.map(({ websiteId }) => websiteId)}::text[], ${heads.map(({ postId }) => postId)}::text[],
          ${heads.map(({ id }) => id)}::text[]) AS wanted (its_website, its_post, its_id)
        WHERE website_id = its_website AND post_id = its_post AND id = its_id`);
    },

    delete: (websiteId, postId, ids) => removeRecords(connection, { table: "revisions", kind: "revision", websiteId, postId }, ids),
  };
}
