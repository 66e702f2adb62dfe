import type { PostId, WebsiteId } from "#domain/ids";
import type { Timestamp } from "#domain/time";
import type { ScheduleEntry, Schedules } from "#ports/platform";
import { all, run, type Scope } from "./scope.ts";

interface Row extends Record<string, unknown> {
  website_id: WebsiteId;
  post_id: PostId;
  at: Timestamp;
  failures: number;
}

const entryOf = (row: Row): ScheduleEntry => ({ websiteId: row.website_id, postId: row.post_id, at: row.at, failures: row.failures });

export const schedules = (scope: Scope): Schedules => ({
  async add(websiteId, postId, at) {
    // Scheduled anew for the same moment: whatever failed before, it is looked at then.
    await run(
      scope,
      `INSERT INTO schedules (website_id, post_id, at, look_at) VALUES ($1, $2, $3, $3)
       ON CONFLICT (website_id, post_id, at) DO UPDATE SET look_at = excluded.look_at, failures = 0`,
      [websiteId, postId, at],
    );
  },

  async remove(websiteId, postId, at) {
    await run(scope, "DELETE FROM schedules WHERE website_id = $1 AND post_id = $2 AND at = $3", [websiteId, postId, at]);
  },

  async claimDue(now, leaseSeconds, limit) {
    // SKIP LOCKED: what another worker is claiming this instant is not waited for, so no entry is handed out twice.
    const rows = await all<Row>(
      scope,
      `WITH due AS (
         SELECT website_id, post_id, at FROM schedules
         WHERE look_at <= $1
         ORDER BY look_at, website_id, post_id, at
         LIMIT $3
         FOR UPDATE SKIP LOCKED
       ), claimed AS (
         UPDATE schedules SET look_at = $1::timestamptz + make_interval(secs => $2)
         FROM due
         WHERE schedules.website_id = due.website_id AND schedules.post_id = due.post_id AND schedules.at = due.at
         RETURNING schedules.website_id, schedules.post_id, schedules.at, schedules.failures
       )
       SELECT website_id, post_id, at, failures FROM claimed ORDER BY at, website_id, post_id`,
      [now, leaseSeconds, limit],
    );
    return rows.map(entryOf);
  },

  async postpone(entry, retryAt) {
    await run(scope, "UPDATE schedules SET look_at = $4, failures = $5 WHERE website_id = $1 AND post_id = $2 AND at = $3", [
      entry.websiteId,
      entry.postId,
      entry.at,
      retryAt,
      entry.failures + 1,
    ]);
  },

  async listFailing(websiteId, before, limit) {
    const rows = await all<Row>(
      scope,
      `SELECT website_id, post_id, at, failures FROM schedules
       WHERE website_id = $1 AND failures > 0 AND at < $2 ORDER BY at, post_id LIMIT $3`,
      [websiteId, before, limit],
    );
    return rows.map(entryOf);
  },

  async holdBack(websiteId, dueBefore) {
    await run(scope, "DELETE FROM schedules WHERE website_id = $1 AND at <= $2", [websiteId, dueBefore]);
  },
});
