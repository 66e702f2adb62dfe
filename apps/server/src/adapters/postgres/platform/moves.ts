import type { WebsiteId } from "#domain/ids";
import type { Move } from "#domain/move";
import type { HeldMove, Moves } from "#ports/moves";
import { one, run, type Scope } from "./scope.ts";

interface Row extends Record<string, unknown> {
  website_id: WebsiteId;
  subject: Move["subject"];
  direction: Move["direction"];
  state: Move["state"];
  position: Move["position"];
  done: number;
  total: number;
  bytes_done: number;
  bytes_total: number;
  bytes_per_second: number | null;
  failures: number;
  error: string | null;
  started_at: Move["startedAt"];
  changed_at: Move["changedAt"];
}

const COLUMNS =
  "website_id, subject, direction, state, position, done, total, bytes_done, bytes_total, bytes_per_second, failures, error, started_at, changed_at";

const moveOf = (row: Row): Move => ({
  websiteId: row.website_id,
  subject: row.subject,
  direction: row.direction,
  state: row.state,
  position: row.position,
  done: row.done,
  total: row.total,
  bytesDone: row.bytes_done,
  bytesTotal: row.bytes_total,
  bytesPerSecond: row.bytes_per_second,
  failures: row.failures,
  error: row.error,
  startedAt: row.started_at,
  changedAt: row.changed_at,
});

export const moves = (scope: Scope): Moves => ({
  async get(websiteId, subject) {
    const row = await one<Row>(scope, `SELECT ${COLUMNS} FROM moves WHERE website_id = $1 AND subject = $2`, [websiteId, subject]);
    return row && moveOf(row);
  },

  async start(websiteId, subject, direction, at, position = {}) {
    // Whoever holds the one before finds that it is not theirs any more.
    await run(
      scope,
      `INSERT INTO moves (website_id, subject, direction, state, position, done, total, bytes_done, bytes_total, failures, started_at,
                          changed_at, look_at)
       VALUES ($1, $2, $3, 'running', $5, 0, 0, 0, 0, 0, $4, clock_timestamp(), clock_timestamp())
       ON CONFLICT (website_id, subject) DO UPDATE
       SET direction = excluded.direction, state = excluded.state, position = excluded.position, done = 0, total = 0, bytes_done = 0,
           bytes_total = 0, bytes_per_second = NULL, failures = 0, error = NULL, started_at = excluded.started_at,
           changed_at = excluded.changed_at, look_at = excluded.look_at, holder = NULL
       WHERE moves.state <> 'running' OR moves.direction <> excluded.direction`,
      [websiteId, subject, direction, at, JSON.stringify(position)],
    );
  },

  async claim(holder, leaseSeconds, only) {
    // SKIP LOCKED: what another node is claiming this instant is not waited for.
    const row = await one<Row>(
      scope,
      `UPDATE moves SET holder = $1, look_at = clock_timestamp() + make_interval(secs => $2)
       FROM (
         SELECT website_id AS website, subject AS what FROM moves
         WHERE state = 'running' AND look_at <= clock_timestamp() AND ($3::text IS NULL OR (website_id = $3 AND subject = $4))
           AND website_id IN (SELECT id FROM live_websites)
         ORDER BY look_at LIMIT 1 FOR UPDATE SKIP LOCKED
       ) AS due
       WHERE website_id = website AND subject = what
       RETURNING ${COLUMNS}`,
      [holder, leaseSeconds, only?.websiteId ?? null, only?.subject ?? null],
    );
    return row && { ...moveOf(row), holder };
  },

  async record(move: HeldMove, step, leaseSeconds) {
    const recorded = await run(
      scope,
      `UPDATE moves
       SET position = $4, done = $5, total = $6, bytes_total = $8, state = $9, error = $10, failures = $11,
           bytes_per_second = CASE
             WHEN $7 <= bytes_done OR done = 0 AND bytes_done = 0 AND bytes_total = 0 THEN bytes_per_second
             ELSE 0.6 * coalesce(bytes_per_second, latest) + 0.4 * latest END,
           bytes_done = $7, changed_at = CASE WHEN $12::double precision IS NULL THEN changed_at ELSE clock_timestamp() END,
           look_at = clock_timestamp() + make_interval(secs => coalesce($12, $13)),
           holder = CASE WHEN $12::double precision IS NULL THEN holder END
       FROM (
         SELECT ($7 - bytes_done) / greatest(0.05, extract(epoch FROM clock_timestamp() - changed_at))::double precision AS latest
         FROM moves WHERE website_id = $1 AND subject = $2
       ) AS rate
       WHERE website_id = $1 AND subject = $2 AND holder = $3 AND state = 'running'`,
      [
        move.websiteId,
        move.subject,
        move.holder,
        JSON.stringify(step.position ?? move.position),
        step.done ?? move.done,
        step.total ?? move.total,
        step.bytesDone ?? move.bytesDone,
        step.bytesTotal ?? move.bytesTotal,
        step.state ?? move.state,
        step.error === undefined ? move.error : step.error,
        step.failures ?? move.failures,
        step.restSeconds,
        leaseSeconds,
      ],
    );
    return recorded === 1;
  },

  async stop(websiteId, subject) {
    const stopped = await run(
      scope,
      `UPDATE moves SET state = 'stopped', holder = NULL, changed_at = clock_timestamp()
       WHERE website_id = $1 AND subject = $2 AND state = 'running'`,
      [websiteId, subject],
    );
    return stopped === 1;
  },
});
