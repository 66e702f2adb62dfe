import { randomUUID } from "node:crypto";
import type { WebhookId, WebsiteId } from "#domain/ids";
import type { Verdict } from "#domain/webhook-health";
import type { DeliveryQueue, Lease } from "#ports/webhooks";
import type { Database, Queryable } from "../database.ts";
import { all, one, run } from "../platform/scope.ts";
import { handOut } from "./hand-out.ts";
import { deliveryOf, HEAD_COLUMNS, type WaitingRow, type WebhookRow, webhookOf } from "./rows.ts";

const WAITING_COLUMNS = [...HEAD_COLUMNS.split(", "), "body"].map((column) => `d.${column}`).join(", ");
const HELD = "website_id = $1 AND id = $2 AND lease_holder = $3";
const keyOf = ({ websiteId, webhookId, holder }: Lease) => [websiteId, webhookId, holder];

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

  async take(lease, now, leaseSeconds, limit) {
    return database.transaction(async (connection) => {
      const row = await one<WebhookRow>(
        connection,
        `UPDATE webhooks SET due_at = $4::timestamptz + make_interval(secs => $5) WHERE ${HELD} RETURNING *`,
        [...keyOf(lease), now, leaseSeconds],
      );
      if (!row) return null;
      const webhook = webhookOf(row);
      if (row.status !== "active" && row.status !== "failing") return { webhook, deliveries: [] };
      if (row.status === "failing" && row.probe_at !== null && row.probe_at > now) return { webhook, deliveries: [] };
      if (row.debounce_seconds > 0) await putTogether(connection, lease, now);
      // A success has released what failed before: those need not wait for their own time any more. While failing, the first in line probes.
      const isReady = row.status === "active" ? "(ready_at <= $3 OR tries > 0)" : "$3::timestamptz IS NOT NULL";
      const rows = await all<WaitingRow>(
        connection,
        `SELECT ${WAITING_COLUMNS}, e.event
         FROM (SELECT * FROM webhook_deliveries
               WHERE website_id = $1 AND webhook_id = $2 AND status = 'waiting' AND ${isReady}
               ORDER BY sequence, id LIMIT $4) d
         LEFT JOIN events e ON e.website_id = d.website_id AND e.id = d.event_id
         ORDER BY d.sequence, d.id`,
        [lease.websiteId, lease.webhookId, now, row.status === "active" ? limit : 1],
      );
      await giveUpForgotten(connection, lease, rows);
      const due = rows.filter((delivery) => isKnown(delivery) && (row.status === "active" || delivery.ready_at <= now));
      return { webhook, deliveries: due.map((delivery) => ({ ...deliveryOf(delivery), event: delivery.event })) };
    });
  },

  async record(lease, verdict, made) {
    await database.transaction(async (connection) => {
      await recordHealth(connection, lease, verdict, made);
      const of = new Map(verdict.deliveries.map((delivery) => [delivery.deliveryId, delivery]));
      await run(
        connection,
        // Whatever became of it meanwhile (paused, resent), the attempt was made and is written down.
        `UPDATE webhook_deliveries d
         SET status = CASE WHEN d.status = 'waiting' OR made.status = 'delivered' THEN made.status ELSE d.status END,
             ready_at = made.ready_at, attempts = attempts + 1, tries = tries + 1, body = made.body, log = made.log::json
         FROM unnest($2::text[], $3::text[], $4::timestamptz[], $5::text[], $6::text[]) AS made (id, status, ready_at, body, log)
         WHERE d.website_id = $1 AND d.id = made.id`,
        [
          lease.websiteId,
          made.map(({ deliveryId }) => deliveryId),
          made.map(({ deliveryId }) => of.get(deliveryId)!.status),
          made.map(({ deliveryId }) => of.get(deliveryId)!.readyAt),
          made.map(({ body }) => body),
          made.map(({ log }) => JSON.stringify(log)),
        ],
      );
      if (verdict.status === "off") {
        await run(
          connection,
          "UPDATE webhook_deliveries SET status = 'missed' WHERE website_id = $1 AND webhook_id = $2 AND status = 'waiting'",
          [lease.websiteId, lease.webhookId],
        );
      }
    });
  },

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
           WHEN 'failing' THEN (SELECT greatest(probe_at, ready_at) ${inLine} ORDER BY sequence, id LIMIT 1)
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

const isKnown = ({ body, event }: WaitingRow): boolean => body !== null || event !== null;

/** One that waited, paused or switched off, until the log forgot its event has nothing left to say. */
async function giveUpForgotten(connection: Queryable, lease: Lease, rows: readonly WaitingRow[]): Promise<void> {
  const forgotten = rows.filter((row) => !isKnown(row)).map((row) => row.id);
  if (forgotten.length === 0) return;
  await run(connection, "UPDATE webhook_deliveries SET status = 'failed' WHERE website_id = $1 AND id = ANY ($2)", [
    lease.websiteId,
    forgotten,
  ]);
}

/** Only as its holder, and not against a person who paused it meanwhile. */
async function recordHealth(
  connection: Queryable,
  lease: Lease,
  verdict: Verdict,
  made: Parameters<DeliveryQueue["record"]>[2],
): Promise<void> {
  const last = made.at(-1);
  await run(
    connection,
    `UPDATE webhooks
     SET last_delivery_id = $4, last_attempt_at = $5, last_status = $6, last_error = $7,
         status = CASE WHEN status IN ('active', 'failing') THEN $8 ELSE status END,
         off_reason = CASE WHEN status IN ('active', 'failing') THEN $9 ELSE off_reason END,
         failures = $10, failing_since = $11, probe_at = $12, slow_lane = $13
     WHERE ${HELD}`,
    [
      ...keyOf(lease),
      last?.deliveryId,
      last?.log.at(-1)?.at,
      last?.log.at(-1)?.status,
      last?.log.at(-1)?.error,
      verdict.status,
      verdict.offReason,
      verdict.failures,
      verdict.failingSince,
      verdict.probeAt,
      verdict.isSlow || verdict.status === "failing",
    ],
  );
}

/**
 * When the first of several changes has waited long enough, the newest speaks for all of them. Tests and what was tried before
 * are left as they are.
 */
async function putTogether(connection: Queryable, lease: Lease, now: string): Promise<void> {
  await run(
    connection,
    `WITH fresh AS (
       SELECT id, event_id, sequence, ready_at, coalesced FROM webhook_deliveries
       WHERE website_id = $1 AND webhook_id = $2 AND status = 'waiting' AND attempts = 0 AND sequence > 0
     ), newest AS (
       SELECT id FROM fresh WHERE (SELECT min(ready_at) FROM fresh) <= $3 AND (SELECT count(*) FROM fresh) > 1
       ORDER BY sequence DESC LIMIT 1
     ), told AS (
       SELECT array_agg(told ORDER BY fresh.sequence, position) AS ids
       FROM fresh, unnest(fresh.coalesced || fresh.event_id) WITH ORDINALITY AS entries (told, position)
       WHERE fresh.id <> (SELECT id FROM newest)
     )
     UPDATE webhook_deliveries d
     SET status = CASE WHEN d.id = newest.id THEN 'waiting' ELSE 'coalesced' END,
         ready_at = CASE WHEN d.id = newest.id THEN $3 ELSE d.ready_at END,
         coalesced = CASE WHEN d.id = newest.id THEN told.ids || d.coalesced ELSE d.coalesced END
     FROM newest, told
     WHERE d.website_id = $1 AND d.id IN (SELECT id FROM fresh)`,
    [lease.websiteId, lease.webhookId, now],
  );
}
