import { millis, SECOND, type Timestamp, timestamp } from "#domain/time";
import type { DeliveryQueue, Lease } from "#ports/webhooks";
import type { Database, Queryable } from "../database.ts";
import { all, one, run } from "../platform/scope.ts";
import { HELD, keyOf } from "./lease.ts";
import { HEAD_COLUMNS, headOf, IS_TEST, type WaitingRow, type WebhookRow, webhookOf } from "./rows.ts";

/** Deliveries among which different posts are looked for: one post with many changes must not keep the others waiting. */
const LOOKED_AT = 64;

/** Reads only, in the common case: rounds follow each other quickly, and a commit each would cost more than all the rest. */
export const take =
  (database: Database): DeliveryQueue["take"] =>
  async (lease, now, leaseSeconds, limit) => {
    const row = await one<WebhookRow & { due_at: Timestamp | null }>(database, `SELECT * FROM webhooks WHERE ${HELD}`, keyOf(lease));
    if (!row) return null;
    const webhook = webhookOf(row);
    const isProbe = row.status === "failing";
    if (row.status !== "active" && !isProbe) return { webhook, deliveries: [] };
    // A person waits for what comes of a test, so it waits for nobody.
    const onlyTests = isProbe && row.probe_at !== null && row.probe_at > now;
    if (!(await renew(database, lease, row.due_at, now, leaseSeconds))) return null;
    if (row.debounce_seconds > 0) await putTogether(database, lease, now);
    const rows = await all<WaitingRow>(
      database,
      // A success has released what failed before: those need not wait for their own time any more. Of each post only the first that
      // waits is sent, and the next when it was received: events of one post arrive in order. So it goes too when its own time has not
      // come but that of a later one has.
      `WITH ready AS (
         SELECT id, post_id, sequence FROM webhook_deliveries
         WHERE website_id = $1 AND webhook_id = $2 AND status = 'waiting' AND ($5 OR ready_at <= $3 OR tries > 0) AND (${IS_TEST} OR NOT $6)
         ORDER BY sequence, id LIMIT ${LOOKED_AT}
       ), posts AS (
         SELECT DISTINCT ON (coalesce(post_id, id)) id, post_id, sequence FROM ready ORDER BY coalesce(post_id, id), sequence, id
       )
       SELECT ${HEAD_COLUMNS}, d.body, e.event
       FROM (SELECT first.* FROM posts CROSS JOIN LATERAL (
               SELECT * FROM webhook_deliveries d
               WHERE d.website_id = $1 AND d.webhook_id = $2 AND d.status = 'waiting' AND d.sequence <= posts.sequence
                 AND (d.id = posts.id OR d.post_id = posts.post_id)
               ORDER BY d.sequence, d.id LIMIT 1
             ) first
             ORDER BY first.sequence, first.id LIMIT $4) d
       LEFT JOIN events e ON e.website_id = d.website_id AND e.id = d.event_id
       ORDER BY d.sequence, d.id`,
      [lease.websiteId, lease.webhookId, now, isProbe ? 1 : limit, isProbe, onlyTests],
    );
    await giveUpForgotten(database, lease, rows);
    // Only the first in line probes, also when it is not due yet.
    const due = rows.filter((delivery) => isKnown(delivery) && (!isProbe || delivery.ready_at <= now));
    return { webhook, deliveries: due.map((delivery) => ({ ...headOf(delivery), body: delivery.body, event: delivery.event })) };
  };

/** Whether it is still held. A lease that lasts longer than any round is left as it is. */
async function renew(database: Database, lease: Lease, until: Timestamp | null, now: Timestamp, leaseSeconds: number): Promise<boolean> {
  if (until !== null && millis(until) - millis(now) > (leaseSeconds * SECOND * 2) / 3) return true;
  const renewed = await run(database, `UPDATE webhooks SET due_at = $4 WHERE ${HELD}`, [
    ...keyOf(lease),
    timestamp(millis(now) + leaseSeconds * SECOND),
  ]);
  return renewed === 1;
}

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

/**
 * When the first of several changes has waited long enough, the newest speaks for all of them. Tests and what was tried before
 * are left as they are.
 */
async function putTogether(connection: Queryable, lease: Lease, now: string): Promise<void> {
  await run(
    connection,
    `WITH fresh AS (
       SELECT id, event_id, sequence, ready_at, coalesced FROM webhook_deliveries
       WHERE website_id = $1 AND webhook_id = $2 AND status = 'waiting' AND attempts = 0 AND NOT ${IS_TEST}
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
