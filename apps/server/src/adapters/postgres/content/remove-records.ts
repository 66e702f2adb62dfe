import type { WebsiteId } from "#domain/ids";
import type { RecordKind } from "#ports/change-feed";
import { takeChangeNumbers } from "./change-numbers.ts";
import type { Runner } from "./connection.ts";
import { raw, sql } from "./sql.ts";

/** Removes records of one website whatever their versions are; the change feed keeps that they were there. */
export async function removeRecords(
  runner: Runner,
  records: {
    readonly table: "revisions" | "records_beside";
    readonly kind: RecordKind;
    readonly websiteId: WebsiteId;
    readonly postId?: string;
  },
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const { websiteId, kind, postId } = records;
  const table = raw(records.table);
  const ofPost = postId === undefined ? raw("true") : sql`post_id = ${postId}`;
  const wanted = sql`website_id = ${websiteId} AND ${ofPost} AND id = ANY (${ids})`;
  await runner.rows(sql`
    WITH ${takeChangeNumbers(websiteId, { visible: false, records: ids.length, condition: sql`EXISTS (SELECT FROM ${table} WHERE ${wanted})` })},
    gone AS (DELETE FROM ${table} USING counted WHERE ${wanted} RETURNING id),
    fed AS (
      INSERT INTO content_changes (website_id, kind, post_id, id, change_seq, removed)
      SELECT ${websiteId}, ${kind}, ${postId ?? ""}, gone.id, counted.change_seq + 1 - row_number() OVER (), true FROM counted, gone
      ON CONFLICT (website_id, kind, post_id, id) DO UPDATE SET change_seq = excluded.change_seq, removed = true
    )
    SELECT FROM gone`);
}
