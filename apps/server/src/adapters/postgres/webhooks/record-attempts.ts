import type { DeliveryQueue } from "#ports/webhooks";
import type { Database, Queryable } from "../database.ts";
import { run } from "../platform/scope.ts";
import { HELD, keyOf } from "./lease.ts";

/** Attempts beyond these are forgotten, oldest first: a delivery resent every day must not grow for ever. */
const KEPT_ATTEMPTS = 24;

export const record =
  (database: Database): DeliveryQueue["record"] =>
  async (...round) => {
    const [lease, health] = round;
    if (health.status !== "off") return write(database, ...round);
    await database.transaction(async (connection) => {
      await write(connection, ...round);
      // A statement of its own: deliveries that were queued while it waited for the endpoint's row must be seen.
      await run(
        connection,
        `UPDATE webhook_deliveries d SET status = 'missed' FROM webhooks w
         WHERE d.website_id = $1 AND d.webhook_id = $2 AND d.status = 'waiting'
           AND w.website_id = $1 AND w.id = $2 AND w.lease_holder = $3 AND w.status = 'off'`,
        keyOf(lease),
      );
    });
  };

/**
 * One statement, so one commit. The endpoint's row comes first (`health` is counted before deliveries are joined to it), as everywhere:
 * whoever pauses it at the same moment waits, and nobody waits in a ring. Health and schedule are written only as the holder, and not
 * against a person who paused it meanwhile. But whatever became of the lease, the attempt was made and is written down, and what was
 * received was received.
 */
async function write(connection: Queryable, ...[lease, health, made]: Parameters<DeliveryQueue["record"]>): Promise<void> {
  // Of attempts made at the same time the card shows one that failed: it is why the endpoint is failing.
  const last = made.findLast(({ attempt }) => attempt.error !== null) ?? made.at(-1);
  const of = new Map(health.deliveries.map((delivery) => [delivery.deliveryId, delivery]));
  await run(
    connection,
    `WITH health AS (
       UPDATE webhooks
       SET last_delivery_id = $4, last_attempt_at = $5, last_status = $6, last_error = $7,
           status = CASE WHEN status IN ('active', 'failing') THEN $8 ELSE status END,
           off_reason = CASE WHEN status IN ('active', 'failing') THEN $9 ELSE off_reason END,
           failures = $10, failing_since = $11, probe_at = $12, slow_lane = $13
       WHERE ${HELD} RETURNING 1
     )
     UPDATE webhook_deliveries d
     SET status = CASE WHEN made.status = 'delivered' OR (is_held AND d.status = 'waiting') THEN made.status ELSE d.status END,
         ready_at = CASE WHEN is_held THEN made.ready_at ELSE d.ready_at END,
         tries = CASE WHEN is_held THEN tries + 1 ELSE tries END,
         attempts = attempts + 1, body = made.body,
         log = (CASE WHEN json_array_length(log) < ${KEPT_ATTEMPTS} THEN log::jsonb ELSE log::jsonb - 0 END || made.attempt::jsonb)::json
     FROM (SELECT count(*) > 0 AS is_held FROM health) AS endpoint_first,
          unnest($14::text[], $15::text[], $16::timestamptz[], $17::text[], $18::text[]) AS made (id, status, ready_at, body, attempt)
     WHERE d.website_id = $1 AND d.id = made.id`,
    [
      ...keyOf(lease),
      last?.deliveryId,
      last?.attempt.at,
      last?.attempt.status,
      last?.attempt.error,
      health.status,
      health.offReason,
      health.failures,
      health.failingSince,
      health.probeAt,
      health.isSlow || health.status === "failing",
      made.map(({ deliveryId }) => deliveryId),
      made.map(({ deliveryId }) => of.get(deliveryId)!.status),
      made.map(({ deliveryId }) => of.get(deliveryId)!.readyAt),
      made.map(({ body }) => body),
      made.map(({ attempt }) => JSON.stringify(attempt)),
    ],
  );
}
