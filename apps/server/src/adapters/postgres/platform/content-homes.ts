import { randomUUID } from "node:crypto";
import { MOST_PAUSE_SECONDS } from "#domain/content-home";
import type { WebsiteId } from "#domain/ids";
import type { ContentHomes } from "#ports/content-homes";
import { eventLog } from "./event-log.ts";
import { all, one, run, type Scope, scopeOf } from "./scope.ts";
import { SELECT_WEBSITE, websiteOf, type WebsiteRow } from "./websites.ts";

/** How long a write to a customer's database is waited for whose node says nothing more. */
const TICKET_SECONDS = 60;

export const contentHomes = (scope: Scope): ContentHomes => ({
  async listOwn() {
    const rows = await all<WebsiteRow>(scope, `${SELECT_WEBSITE} WHERE websites.home = 'own' ORDER BY websites.id`, []);
    return rows.map(websiteOf);
  },

  async listMoved() {
    const rows = await all<{ website_id: WebsiteId }>(scope, "SELECT website_id FROM website_content WHERE moved ORDER BY website_id", []);
    return rows.map((row) => row.website_id);
  },

  async pause(websiteId, seconds) {
    // Every write holds this row until it commits, so this one waits for those under way.
    await run(
      scope,
      `INSERT INTO website_content AS counters (website_id, paused_until) VALUES ($1, clock_timestamp() + make_interval(secs => $2))
       ON CONFLICT (website_id) DO UPDATE SET paused_until = excluded.paused_until`,
      [websiteId, Math.min(seconds, MOST_PAUSE_SECONDS)],
    );
  },

  async resume(websiteId) {
    await run(scope, "UPDATE website_content SET paused_until = NULL WHERE website_id = $1", [websiteId]);
  },

  move: ({ id, home }, to, mover) =>
    scope.atomically(async (connection) => {
      // In the order in which a save locks them: the row that every write passes is first.
      const held = await all(
        connection,
        `SELECT FROM website_content AS counters JOIN websites ON websites.id = counters.website_id
         WHERE counters.website_id = $1 AND counters.paused_until > clock_timestamp()
           AND websites.home = $2 AND websites.store_epoch = $3 AND websites.deleted_at IS NULL
         FOR UPDATE OF counters`,
        [id, home.kind, home.epoch],
      );
      if (held.length === 0) return false;
      if (mover) {
        // Whoever stops the move waits for this, or was first.
        const isHeld = await one(
          connection,
          `SELECT FROM moves WHERE website_id = $1 AND subject = $2 AND holder = $3 AND state = 'running' AND look_at > clock_timestamp() FOR UPDATE`,
          [id, mover.subject, mover.holder],
        );
        if (!isHeld) return false;
      }
      const switched = await run(
        connection,
        `UPDATE websites SET home = $2, store_epoch = store_epoch + 1 WHERE id = $1 AND store_epoch = $3 AND deleted_at IS NULL`,
        [id, to, home.epoch],
      );
      if (switched === 0) return false;
      await run(
        connection,
        `UPDATE website_content SET moved = $2, paused_until = NULL, store_epoch = $3 + 1, content_version = content_version + 1,
           returned_epoch = CASE WHEN $4 THEN $3 + 1 ELSE returned_epoch END
         WHERE website_id = $1`,
        [id, to === "own", home.epoch, to === "managed" && mover !== undefined],
      );
      // Of a write that is still under way nobody is told that it was saved: its ticket is gone.
      await run(connection, "DELETE FROM write_tickets WHERE website_id = $1", [id]);
      await eventLog(scopeOf(connection)).beginHistory(id);
      return true;
    }),

  async returnedEpoch(websiteId) {
    const row = await one<{ returned_epoch: number | null }>(scope, "SELECT returned_epoch FROM website_content WHERE website_id = $1", [
      websiteId,
    ]);
    return row?.returned_epoch ?? null;
  },

  async takeTicket({ id, home }) {
    const ticket = randomUUID();
    // The row is shared with other writes and excludes a pause: it comes wholly before this, or wholly after.
    const taken = await run(
      scope,
      `WITH gate AS (
         SELECT website_id FROM website_content
         WHERE website_id = $1 AND moved AND store_epoch = $3 AND (paused_until IS NULL OR paused_until <= clock_timestamp())
         FOR SHARE
       )
       INSERT INTO write_tickets (website_id, id, until)
       SELECT website_id, $2, clock_timestamp() + make_interval(secs => $4) FROM gate`,
      [id, ticket, home.epoch, TICKET_SECONDS],
    );
    if (taken === 1) return { ticket };
    const row = await one<{ here: boolean }>(
      scope,
      "SELECT moved AND store_epoch = $2 AS here FROM website_content WHERE website_id = $1",
      [id, home.epoch],
    );
    return row?.here ? "paused" : "moved";
  },

  async returnTicket(websiteId, ticket) {
    const isInTime = await one(
      scope,
      "DELETE FROM write_tickets WHERE website_id = $1 AND id = $2 RETURNING until > clock_timestamp() AS in_time",
      [websiteId, ticket],
    );
    return isInTime?.in_time === true;
  },

  async countTickets(websiteId) {
    await run(scope, "DELETE FROM write_tickets WHERE website_id = $1 AND until <= clock_timestamp()", [websiteId]);
    const row = await one<{ count: number }>(scope, "SELECT count(*) AS count FROM write_tickets WHERE website_id = $1", [websiteId]);
    return Number(row!.count);
  },
});
