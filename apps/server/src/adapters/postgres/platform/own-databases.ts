import type { WebsiteId } from "#domain/ids";
import type { OwnDatabase } from "#domain/own-database";
import type { Timestamp } from "#domain/time";
import type { OwnDatabaseRecords } from "#ports/own-database-records";
import { all, one, oneOften, run, type Scope } from "./scope.ts";

interface Row extends Record<string, unknown> {
  website_id: WebsiteId;
  connection: string;
  shown: string;
  server_version: string;
  switches: boolean;
  connected_at: OwnDatabase["connectedAt"];
  activated_at: OwnDatabase["activatedAt"];
  error: string | null;
  error_at: OwnDatabase["errorAt"];
  is_away: boolean;
}

type HealthRow = { at: Timestamp; answered: number; failed: number; timed: number; timed_millis: number };

const COLUMNS = "website_id, connection, shown, server_version, switches, connected_at, activated_at, error, error_at, is_away";

const databaseOf = (row: Row): OwnDatabase => ({
  websiteId: row.website_id,
  connection: row.connection,
  shown: row.shown,
  serverVersion: row.server_version,
  switches: row.switches,
  connectedAt: row.connected_at,
  activatedAt: row.activated_at,
  error: row.error,
  errorAt: row.error_at,
  isAway: row.is_away,
});

export const ownDatabases = (scope: Scope): OwnDatabaseRecords => ({
  async installId() {
    return (await one<{ id: string }>(scope, "SELECT id FROM install", []))!.id;
  },

  async get(websiteId) {
    const row = await oneOften<Row>(scope, `SELECT ${COLUMNS} FROM own_databases WHERE website_id = $1`, [websiteId]);
    return row && databaseOf(row);
  },

  async put({ websiteId, connection, shown, serverVersion, switches, connectedAt, activatedAt, error, errorAt, isAway }) {
    await run(
      scope,
      `INSERT INTO own_databases (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
       ON CONFLICT (website_id) DO UPDATE
       SET connection = excluded.connection, shown = excluded.shown, server_version = excluded.server_version, switches = excluded.switches,
           connected_at = excluded.connected_at, activated_at = excluded.activated_at,
           error = excluded.error, error_at = excluded.error_at, is_away = excluded.is_away`,
      [websiteId, connection, shown, serverVersion, switches, connectedAt, activatedAt, error, errorAt, isAway],
    );
  },

  async setSwitches(websiteId, switches) {
    await run(scope, "UPDATE own_databases SET switches = $2 WHERE website_id = $1", [websiteId, switches]);
  },

  async setActivated(websiteId, at) {
    await run(scope, "UPDATE own_databases SET activated_at = $2 WHERE website_id = $1", [websiteId, at]);
  },

  async remove(websiteId) {
    await run(
      scope,
      `WITH forgotten AS (DELETE FROM own_database_health WHERE website_id = $1) DELETE FROM own_databases WHERE website_id = $1`,
      [websiteId],
    );
  },

  async leave(websiteId, at) {
    await run(
      scope,
      `WITH forgotten AS (DELETE FROM own_database_health WHERE website_id = $1),
         gone AS (DELETE FROM own_databases WHERE website_id = $1 RETURNING website_id, shown)
       INSERT INTO left_databases (website_id, shown, left_at) SELECT website_id, shown, $2 FROM gone
       ON CONFLICT (website_id) DO UPDATE SET shown = excluded.shown, left_at = excluded.left_at, fetched_at = NULL`,
      [websiteId, at],
    );
  },

  async getLeft(websiteId) {
    return one<{ shown: string; leftAt: Timestamp; fetchedAt: Timestamp | null }>(
      scope,
      `SELECT shown, left_at AS "leftAt", fetched_at AS "fetchedAt" FROM left_databases WHERE website_id = $1`,
      [websiteId],
    );
  },

  async setFetched(websiteId, shown, at) {
    await run(scope, "UPDATE left_databases SET fetched_at = $3 WHERE website_id = $1 AND shown = $2", [websiteId, shown, at]);
  },

  async forgetLeft(websiteId) {
    await run(scope, "DELETE FROM left_databases WHERE website_id = $1", [websiteId]);
  },

  async having(websiteIds) {
    const rows = await all<Pick<Row, "website_id">>(scope, "SELECT website_id FROM own_databases WHERE website_id = ANY ($1)", [
      websiteIds,
    ]);
    return new Set(rows.map((row) => row.website_id));
  },

  async noteHealth(samples, keptSince) {
    const columns = (["websiteId", "at", "answered", "failed", "timed", "timedMillis", "error", "errorAt", "isAway"] as const).map((name) =>
      samples.map((sample) => sample[name]),
    );
    // One that was disconnected meanwhile leaves nothing.
    await run(
      scope,
      `WITH told AS (
         SELECT told.* FROM unnest($1::text[], $2::timestamptz[], $3::int[], $4::int[], $5::int[], $6::int[], $7::text[], $8::timestamptz[], $9::boolean[])
           AS told (website_id, at, answered, failed, timed, timed_millis, error, error_at, is_away)
         JOIN own_databases USING (website_id) WHERE told.at >= $10
       ), latest AS (
         UPDATE own_databases SET error = coalesce(last.error, own_databases.error), error_at = coalesce(last.error_at, own_databases.error_at),
           is_away = last.is_away
         FROM (SELECT DISTINCT ON (website_id) * FROM told ORDER BY website_id, at DESC) AS last
         WHERE own_databases.website_id = last.website_id
           AND (last.error IS NOT NULL OR own_databases.is_away <> last.is_away)
       ), forgotten AS (
         DELETE FROM own_database_health WHERE website_id IN (SELECT website_id FROM told) AND at < $10
       )
       INSERT INTO own_database_health AS health (website_id, at, answered, failed, timed, timed_millis)
       SELECT website_id, at, answered, failed, timed, timed_millis FROM told
       ON CONFLICT (website_id, at) DO UPDATE SET answered = health.answered + excluded.answered, failed = health.failed + excluded.failed,
         timed = health.timed + excluded.timed, timed_millis = health.timed_millis + excluded.timed_millis`,
      [...columns, keptSince],
    );
  },

  async health(websiteId, since) {
    const rows = await all<HealthRow>(
      scope,
      `SELECT at, answered, failed, timed, timed_millis FROM own_database_health WHERE website_id = $1 AND at >= $2 ORDER BY at`,
      [websiteId, since],
    );
    return rows.map(({ at, answered, failed, timed, timed_millis: timedMillis }) => ({ at, answered, failed, timed, timedMillis }));
  },

  async listProbed(span) {
    const rows = await all<Pick<Row, "website_id">>(
      scope,
      "SELECT website_id FROM own_database_health WHERE at = $1 AND (timed > 0 OR failed > 0)",
      [span],
    );
    return new Set(rows.map((row) => row.website_id));
  },
});
