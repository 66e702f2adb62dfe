import type { Timestamp } from "#domain/time";
import type { WebhookStatus } from "#domain/webhook";
import type { Endpoints } from "#ports/webhooks";
import type { Database } from "../database.ts";
import { all, one, run } from "../platform/scope.ts";
import { type WebhookRow, webhookOf } from "./rows.ts";

/** Healthy until it proves otherwise, and looked at now. The worker that serves it loses the lease: its result is about the past. */
const TRIED_NOW = `status = 'active', off_reason = NULL, failures = 0, failing_since = NULL, probe_at = NULL, slow_lane = false,
  due_at = $3, lease_holder = NULL`;

const MISSED_IN_LINE = `UPDATE webhook_deliveries SET status = 'waiting', tries = 0, ready_at = $3
  WHERE website_id = $1 AND webhook_id = $2 AND status = 'missed'`;
const FIRST_IN_LINE_NOW = `UPDATE webhook_deliveries SET tries = 0, ready_at = $3
  WHERE website_id = $1 AND id = (SELECT id FROM webhook_deliveries WHERE website_id = $1 AND webhook_id = $2 AND status = 'waiting'
                                  ORDER BY sequence, id LIMIT 1)`;

export const endpoints = (database: Database): Endpoints => ({
  async create(webhook) {
    await database.transaction(async (connection) => {
      // Held while events are logged: whatever is logged after this sees the endpoint, so nothing falls in between.
      const counter = await one<{ last: number }>(
        connection,
        `INSERT INTO event_sequences (website_id, last) VALUES ($1, 0)
         ON CONFLICT (website_id) DO UPDATE SET last = event_sequences.last RETURNING last`,
        [webhook.websiteId],
      );
      await run(connection, "INSERT INTO webhook_feeds (website_id, sequence) VALUES ($1, $2) ON CONFLICT DO NOTHING", [
        webhook.websiteId,
        counter!.last,
      ]);
      await run(
        connection,
        `INSERT INTO webhooks (website_id, id, url, events, debounce_seconds, status, secret, created_at, created_by, after_sequence)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
        [
          webhook.websiteId,
          webhook.id,
          webhook.url,
          webhook.events,
          webhook.debounceSeconds,
          webhook.status,
          webhook.secret,
          webhook.createdAt,
          webhook.createdBy,
          counter!.last,
        ],
      );
    });
  },

  async get(websiteId, id) {
    const row = await one<WebhookRow>(database, "SELECT * FROM webhooks WHERE website_id = $1 AND id = $2", [websiteId, id]);
    return row && webhookOf(row);
  },

  async list(websiteId) {
    const count = (status: string) =>
      `(SELECT count(*)::int FROM webhook_deliveries d
        WHERE d.website_id = webhooks.website_id AND d.webhook_id = webhooks.id AND d.status = '${status}')`;
    const rows = await all<WebhookRow & { waiting: number; missed: number; next_probe_at: Timestamp | null }>(
      database,
      `SELECT *, ${count("waiting")} AS waiting, ${count("missed")} AS missed,
              CASE WHEN status = 'failing' AND lease_holder IS NULL THEN due_at END AS next_probe_at
       FROM webhooks WHERE website_id = $1 ORDER BY created_at, id`,
      [websiteId],
    );
    return rows.map((row) => ({ ...webhookOf(row), waiting: row.waiting, missed: row.missed, nextProbeAt: row.next_probe_at }));
  },

  async update(websiteId, id, { url, events, debounceSeconds }, now) {
    await database.transaction(async (connection) => {
      await run(
        connection,
        `UPDATE webhooks SET ${TRIED_NOW} WHERE website_id = $1 AND id = $2 AND url <> $4 AND status IN ('active', 'failing')`,
        [websiteId, id, now, url],
      );
      await run(connection, "UPDATE webhooks SET url = $3, events = $4, debounce_seconds = $5 WHERE website_id = $1 AND id = $2", [
        websiteId,
        id,
        url,
        events,
        debounceSeconds,
      ]);
    });
  },

  async pause(websiteId, id) {
    await database.transaction(async (connection) => {
      await run(connection, "UPDATE webhooks SET status = 'paused', probe_at = NULL, due_at = NULL WHERE website_id = $1 AND id = $2", [
        websiteId,
        id,
      ]);
      await run(
        connection,
        "UPDATE webhook_deliveries SET status = 'missed' WHERE website_id = $1 AND webhook_id = $2 AND status = 'waiting'",
        [websiteId, id],
      );
    });
  },

  async resume(websiteId, id, resend, now) {
    const values = [websiteId, id, now];
    return database.transaction(async (connection) => {
      const held = "SELECT status, lease_holder FROM webhooks WHERE website_id = $1 AND id = $2 FOR NO KEY UPDATE";
      const before = await one<{ status: WebhookStatus; lease_holder: string | null }>(connection, held, [websiteId, id]);
      if (!before) return 0;
      const resent = resend ? await run(connection, MISSED_IN_LINE, values) : 0;
      if (before.status === "paused" || before.status === "off") {
        await run(connection, `UPDATE webhooks SET ${TRIED_NOW} WHERE website_id = $1 AND id = $2`, values);
      } else if (before.lease_holder === null) {
        // One that is on goes on counting: only a success ends the failing. But its first in line probes now, from its first attempt.
        await run(connection, "UPDATE webhooks SET due_at = $3, probe_at = least(probe_at, $3) WHERE website_id = $1 AND id = $2", values);
        if (before.status === "failing") await run(connection, FIRST_IN_LINE_NOW, values);
      }
      return resent;
    });
  },

  async rollSecret({ websiteId, id, secret: before }, secret, previous) {
    const values = [websiteId, id, secret, JSON.stringify(previous), before];
    const rolled = await run(
      database,
      "UPDATE webhooks SET secret = $3, previous_secrets = $4 WHERE website_id = $1 AND id = $2 AND secret = $5",
      values,
    );
    return rolled === 1;
  },

  async delete(websiteId, id) {
    await run(database, "DELETE FROM webhooks WHERE website_id = $1 AND id = $2", [websiteId, id]);
  },
});
