import type { DeliveryQueue } from "#ports/webhooks";
import type { Database } from "../database.ts";
import { run } from "../platform/scope.ts";
import { HELD, keyOf } from "./lease.ts";

/**
 * One statement, so one commit. The endpoint's row comes first (`health` is counted before deliveries are joined to it), as everywhere:
 * whoever pauses it at the same moment waits, and nobody waits in a ring. The health is written only as the holder, and not against a
 * person who paused it meanwhile; but whatever became of a delivery, its attempt was made and is written down.
 */
export const record =
  (database: Database): DeliveryQueue["record"] =>
  async (lease, verdict, made) => {
    const last = made.at(-1);
    const attempt = last?.log.at(-1);
    const of = new Map(verdict.deliveries.map((delivery) => [delivery.deliveryId, delivery]));
    await run(
      database,
      `WITH health AS (
         UPDATE webhooks
         SET last_delivery_id = $4, last_attempt_at = $5, last_status = $6, last_error = $7,
             status = CASE WHEN status IN ('active', 'failing') THEN $8 ELSE status END,
             off_reason = CASE WHEN status IN ('active', 'failing') THEN $9 ELSE off_reason END,
             failures = $10, failing_since = $11, probe_at = $12, slow_lane = $13
         WHERE ${HELD} RETURNING 1
       )
       UPDATE webhook_deliveries d
       SET status = CASE WHEN d.status = 'waiting' OR made.status = 'delivered' THEN made.status ELSE d.status END,
           ready_at = made.ready_at, attempts = attempts + 1, tries = tries + 1, body = made.body, log = made.log::json
       FROM (SELECT count(*) FROM health) AS endpoint_first,
            unnest($14::text[], $15::text[], $16::timestamptz[], $17::text[], $18::text[]) AS made (id, status, ready_at, body, log)
       WHERE d.website_id = $1 AND d.id = made.id`,
      [
        ...keyOf(lease),
        last?.deliveryId,
        attempt?.at,
        attempt?.status,
        attempt?.error,
        verdict.status,
        verdict.offReason,
        verdict.failures,
        verdict.failingSince,
        verdict.probeAt,
        verdict.isSlow || verdict.status === "failing",
        made.map(({ deliveryId }) => deliveryId),
        made.map(({ deliveryId }) => of.get(deliveryId)!.status),
        made.map(({ deliveryId }) => of.get(deliveryId)!.readyAt),
        made.map(({ body }) => body),
        made.map(({ log }) => JSON.stringify(log)),
      ],
    );
    if (verdict.status !== "off") return;
    await run(
      database,
      `UPDATE webhook_deliveries d SET status = 'missed' FROM webhooks w
       WHERE d.website_id = $1 AND d.webhook_id = $2 AND d.status = 'waiting'
         AND w.website_id = $1 AND w.id = $2 AND w.lease_holder = $3 AND w.status = 'off'`,
      keyOf(lease),
    );
  };
