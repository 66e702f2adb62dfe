import type { WorkspaceId } from "#domain/ids";
import type { Timestamp } from "#domain/time";
import type { Mails, WaitingMail } from "#ports/platform";
import { all, run, type Scope } from "./scope.ts";

interface Row extends Record<string, unknown> {
  workspaceId: WorkspaceId;
  key: string;
  to: string;
  subject: string;
  text: string;
  madeAt: Timestamp;
  attempts: number;
}

export const mails = (scope: Scope): Mails => ({
  async add(waiting, now) {
    await run(
      scope,
      `INSERT INTO mails (workspace_id, key, recipient, subject, body, made_at, due_at)
       SELECT workspace_id, key, recipient, subject, body, $6, $6
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) AS mail (workspace_id, key, recipient, subject, body)
       ON CONFLICT DO NOTHING`,
      [
        waiting.map((mail) => mail.workspaceId),
        waiting.map((mail) => mail.key),
        waiting.map((mail) => mail.to),
        waiting.map((mail) => mail.subject),
        waiting.map((mail) => mail.text),
        now,
      ],
    );
  },

  claimDue: (now, leaseSeconds, limit): Promise<readonly WaitingMail[]> =>
    // SKIP LOCKED: what another node is claiming this instant is not waited for, so nothing is handed out twice.
    all<Row>(
      scope,
      `UPDATE mails SET due_at = $1::timestamptz + make_interval(secs => $2), attempts = attempts + 1
       FROM (
         SELECT workspace_id, key FROM mails WHERE done_at IS NULL AND due_at <= $1 ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED
       ) AS due
       WHERE mails.workspace_id = due.workspace_id AND mails.key = due.key
       RETURNING mails.workspace_id AS "workspaceId", mails.key, recipient AS "to", subject, body AS text, made_at AS "madeAt", attempts`,
      [now, leaseSeconds, limit],
    ),

  async postpone({ workspaceId, key }, until) {
    await run(scope, "UPDATE mails SET due_at = $3 WHERE workspace_id = $1 AND key = $2 AND done_at IS NULL", [workspaceId, key, until]);
  },

  async end({ workspaceId, key }, now) {
    await run(scope, "UPDATE mails SET done_at = $3 WHERE workspace_id = $1 AND key = $2", [workspaceId, key, now]);
  },

  forgetBefore: (before, limit) =>
    run(
      scope,
      `DELETE FROM mails WHERE ctid = ANY (ARRAY (
         SELECT ctid FROM mails WHERE done_at < $1 ORDER BY done_at LIMIT $2 FOR UPDATE SKIP LOCKED
       ))`,
      [before, limit],
    ),
});
