import { randomUUID } from "node:crypto";
import type { WebhookId, WebsiteId } from "#domain/ids";
import type { DeliveryQueue } from "#ports/webhooks";
import type { Database } from "../database.ts";
import { all, one, run } from "../platform/scope.ts";
import { handOut } from "./hand-out-events.ts";
import { HELD, keyOf } from "./lease.ts";
import { record } from "./record-attempts.ts";
import { IS_TEST } from "./rows.ts";
import { take } from "./take-deliveries.ts";

export const queue = (database: Database): DeliveryQueue => ({
  handOut: handOut(database),

  async claim(lane, now, leaseSeconds, limit) {
    const holder = randomUUID();
    // SKIP LOCKED: what another worker is claiming this instant is not waited for, so no endpoint is served twice.
    const rows = await all<{ website_id: WebsiteId; id: WebhookId }>(
      database,
      `WITH due AS (
         SELECT website_id, id FROM webhooks WHERE slow_lane = $1 AND due_at <= $2 ORDER BY due_at LIMIT $4 FOR UPDATE SKIP LOCKED
       )
       UPDATE webhooks SET due_at = $2::timestamptz + make_interval(secs => $3), lease_holder = $5
       FROM due WHERE webhooks.website_id = due.website_id AND webhooks.id = due.id
       RETURNING webhooks.website_id, webhooks.id`,
      [lane === "slow", now, leaseSeconds, limit, holder],
    );
    return rows.map((row) => ({ websiteId: row.website_id, webhookId: row.id, holder }));
  },

  take: take(database),

  async counts(lease) {
    return (await one(database, `SELECT 1 FROM webhooks WHERE ${HELD} AND status IN ('active', 'failing')`, keyOf(lease))) !== null;
  },

  record: record(database),

  async release(lease, now, notBefore = now) {
    await database.transaction(async (connection) => {
      // Held first, then asked in a statement of its own: what was put in line while this waited must be seen.
      const held = await one(connection, `SELECT 1 FROM webhooks WHERE ${HELD} FOR NO KEY UPDATE`, keyOf(lease));
      if (!held) return;
      const inLine = "FROM webhook_deliveries d WHERE d.website_id = $1 AND d.webhook_id = $2 AND d.status = 'waiting'";
      await run(
        connection,
        `UPDATE webhooks SET lease_holder = NULL, due_at = greatest(CASE status
           WHEN 'active' THEN (SELECT min(CASE WHEN tries > 0 THEN $4::timestamptz ELSE ready_at END) ${inLine})
           WHEN 'failing' THEN (SELECT CASE WHEN ${IS_TEST} THEN ready_at ELSE greatest(probe_at, ready_at) END ${inLine}
                                ORDER BY sequence, id LIMIT 1)
         END, CASE WHEN status IN ('active', 'failing') AND $5::timestamptz > $4 THEN $5 END)
         WHERE ${HELD}`,
        [...keyOf(lease), now, notBefore],
      );
    });
  },

  async retire(lease) {
    await run(database, `UPDATE webhooks SET lease_holder = NULL, due_at = NULL WHERE ${HELD}`, keyOf(lease));
  },
});
