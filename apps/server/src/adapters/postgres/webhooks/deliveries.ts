import { foldWhole } from "#domain/fold";
import { TEST_EVENT } from "@stet/contract";
import type { Deliveries } from "#ports/webhooks";
import type { Database, Queryable } from "../database.ts";
import { all, one, run } from "../platform/scope.ts";
import { DELIVERY_COLUMNS, type DeliveryRow, deliveryOf, HEAD_COLUMNS, headOf, type HeadRow } from "./rows.ts";

/**
 * Something was put in line: looked at now, unless someone is serving it, who will see it. One that is failing is looked at as well: what
 * may not go before the next probe is left in line, and a test may.
 */
const WAKE = `UPDATE webhooks SET due_at = least(due_at, $3)
  WHERE website_id = $1 AND id = $2 AND status IN ('active', 'failing') AND lease_holder IS NULL`;

export const deliveries = (database: Database): Deliveries => ({
  async listDeliveries(websiteId, { webhookId, status, eventType, postId, titleContains, after, limit }) {
    const values: unknown[] = [websiteId];
    const conditions = ["website_id = $1"];
    const where = (column: string, value: unknown) => conditions.push(`${column} = $${values.push(value)}`);
    if (webhookId) where("webhook_id", webhookId);
    if (status) where("status", status);
    if (eventType) where("event_type", eventType);
    if (postId) where("post_id", postId);
    if (titleContains) conditions.push(`position($${values.push(foldWhole(titleContains))} IN title_key) > 0`);
    if (after) conditions.push(`(created_at, id) < ($${values.push(after.key)}::timestamptz, $${values.push(after.id)})`);
    const rows = await all<HeadRow>(
      database,
      `SELECT ${HEAD_COLUMNS} FROM webhook_deliveries d WHERE ${conditions.join(" AND ")}
       ORDER BY created_at DESC, id DESC LIMIT $${values.push(limit + 1)}`,
      values,
    );
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return { rows: page.map(headOf), next: rows.length > limit && last ? { key: last.created_at, id: last.id } : null };
  },

  async getDelivery(websiteId, id) {
    const row = await one<DeliveryRow>(database, `SELECT ${DELIVERY_COLUMNS} FROM webhook_deliveries d WHERE website_id = $1 AND id = $2`, [
      websiteId,
      id,
    ]);
    return row && deliveryOf(row);
  },

  addTest: ({ websiteId, id: webhookId }, id, event, body) =>
    inLine(database, websiteId, webhookId, event.at, async (connection) => {
      await run(
        connection,
        `INSERT INTO webhook_deliveries (website_id, id, webhook_id, event_id, sequence, event_type, status, ready_at, created_at, body)
         VALUES ($1, $2, $3, $4, 0, $5, 'waiting', $6, $6, $7)`,
        [websiteId, id, webhookId, event.id, TEST_EVENT, event.at, body],
      );
    }),

  async resend(websiteId, id, now) {
    const row = await one<{ webhook_id: string }>(database, "SELECT webhook_id FROM webhook_deliveries WHERE website_id = $1 AND id = $2", [
      websiteId,
      id,
    ]);
    if (!row) return false;
    const moved = await inLine(database, websiteId, row.webhook_id, now, (connection) =>
      run(
        connection,
        `UPDATE webhook_deliveries SET status = 'waiting', tries = 0, ready_at = $3
         WHERE website_id = $1 AND id = $2 AND status <> 'waiting'`,
        [websiteId, id, now],
      ),
    );
    return moved > 0;
  },

  resendFailed: (websiteId, webhookId, since, now) =>
    inLine(database, websiteId, webhookId, now, (connection) =>
      run(
        connection,
        `UPDATE webhook_deliveries SET status = 'waiting', tries = 0, ready_at = $4
         WHERE website_id = $1 AND webhook_id = $2 AND created_at >= $3 AND status IN ('failed', 'missed')`,
        [websiteId, webhookId, since, now],
      ),
    ),

  forgetDeliveries: (before, limit) =>
    run(
      database,
      `WITH old AS (
         SELECT website_id, id FROM webhook_deliveries WHERE created_at < $1 AND status <> 'waiting' LIMIT $2
       )
       DELETE FROM webhook_deliveries d USING old WHERE d.website_id = old.website_id AND d.id = old.id`,
      [before, limit],
    ),
});

/** The endpoint's row is held first, as everywhere: its holder cannot find the line empty while something is being put in it. */
function inLine<T>(
  database: Database,
  websiteId: string,
  webhookId: string,
  now: string,
  work: (connection: Queryable) => Promise<T>,
): Promise<T> {
  return database.transaction(async (connection) => {
    await run(connection, "SELECT 1 FROM webhooks WHERE website_id = $1 AND id = $2 FOR NO KEY UPDATE", [websiteId, webhookId]);
    const result = await work(connection);
    await run(connection, WAKE, [websiteId, webhookId, now]);
    return result;
  });
}
