import type { ActorRef } from "#domain/actor";
import { fail } from "#domain/failure";
import type { ActivityId, UserId, WebsiteId, WorkspaceId } from "#domain/ids";
import type { JsonObject } from "#domain/json";
import { isTimestamp, type Timestamp } from "#domain/time";
import type { ActivityEntry, ActivityLine, ActivityLog, ActivityQuery } from "#ports/platform";
import { type Fragment, raw, sql, statementOf } from "../content/sql.ts";
import { all, type Scope } from "./scope.ts";

interface Row extends Record<string, unknown> {
  id: ActivityId;
  workspace_id: WorkspaceId;
  website_id: WebsiteId | null;
  at: Timestamp;
  actor_type: ActorRef["type"];
  actor_id: string;
  actor_user_id: UserId | null;
  action: string;
  target_id: string | null;
  target_label: string | null;
  details: JsonObject;
  count: number;
}

const entryOf = (row: Row): ActivityEntry => ({
  id: row.id,
  workspaceId: row.workspace_id,
  websiteId: row.website_id,
  at: row.at,
  actor: { type: row.actor_type, id: row.actor_id, userId: row.actor_user_id },
  action: row.action,
  target: row.target_id === null ? null : { id: row.target_id, label: row.target_label ?? "" },
  details: row.details,
  count: row.count,
});

/** `at` of a folded line, its position in the list, is behind its last time by less than this. */
const POSITION_LAG = "interval '10 seconds'";

/**
 * Writes a line if `from` has a row. Without a fold key, a line whose id is there already is left as it is. With one, it is folded into the
 * stored line of that key: the count rises each time, and the details are replaced unless the stored ones are newer. `at` orders the list
 * and is in four indexes, so it is moved every ten seconds at most; `last_at` has the exact time.
 */
export function activityWrite({ entry, foldKey }: ActivityLine, from: Fragment): Fragment {
  const onConflict =
    foldKey === undefined
      ? raw("(workspace_id, id) DO NOTHING")
      : raw(`(workspace_id, fold_key) DO UPDATE SET
          at = CASE WHEN excluded.at < activity.at + ${POSITION_LAG} THEN activity.at ELSE excluded.at END,
          last_at = greatest(activity.last_at, activity.at, excluded.at), count = activity.count + 1,
          details = CASE WHEN excluded.at < greatest(activity.last_at, activity.at) THEN activity.details ELSE excluded.details END`);
  return sql`
    INSERT INTO activity (workspace_id, id, website_id, at, actor_type, actor_id, actor_user_id, action,
      target_id, target_label, details, count, fold_key)
    SELECT ${entry.workspaceId}, ${entry.id}, ${entry.websiteId}, ${entry.at}, ${entry.actor.type}, ${entry.actor.id}, ${entry.actor.userId},
      ${entry.action}, ${entry.target?.id ?? null}, ${entry.target?.label ?? null}, ${JSON.stringify(entry.details)}, ${entry.count},
      ${foldKey ?? null}
    FROM ${from}
    ON CONFLICT ${onConflict}`;
}

export const activityLog = (scope: Scope): ActivityLog => ({
  async append(entry, foldKey) {
    await scope.query({ ...statementOf(activityWrite({ entry, foldKey }, raw("(SELECT) AS always"))), keepPlan: true });
  },

  async list(workspaceId, query) {
    const { conditions, values } = conditionsOf(workspaceId, query);
    // One more than asked for tells whether there is another page.
    const rows = await all<Row & { key: Timestamp }>(
      scope,
      `SELECT id, workspace_id, website_id, greatest(at, last_at) AS at, at AS key, actor_type, actor_id, actor_user_id, action, target_id, target_label, details, count
       FROM activity WHERE ${conditions.join(" AND ")}
       ORDER BY activity.at DESC, id DESC LIMIT $${values.push(query.limit + 1)}`,
      values,
    );
    const page = rows.slice(0, query.limit);
    const last = page.at(-1);
    return { rows: page.map(entryOf), next: rows.length > query.limit && last ? { key: last.key, id: last.id } : null };
  },

  async whoActed(workspaceId, userIds) {
    const rows = await all<{ id: UserId }>(
      scope,
      `SELECT DISTINCT id FROM unnest($2::text[]) AS asked (id) WHERE EXISTS (
         SELECT FROM activity WHERE workspace_id = $1 AND actor_user_id = asked.id
       )`,
      [workspaceId, userIds],
    );
    return rows.map((row) => row.id);
  },
});

function conditionsOf(workspaceId: WorkspaceId, query: ActivityQuery): { conditions: string[]; values: unknown[] } {
  const values: unknown[] = [workspaceId];
  const conditions = ["workspace_id = $1", "workspace_id IN (SELECT id FROM live_workspaces)"];
  const equal = (column: string, value: string | undefined) => {
    if (value !== undefined) conditions.push(`${column} = $${values.push(value)}`);
  };
  equal("website_id", query.websiteId);
  equal("action", query.action);
  equal("actor_user_id", query.userId);
  equal("actor_type", query.actorType);
  equal("target_id", query.targetId);
  if (query.targetIds) conditions.push(`target_id = ANY ($${values.push(query.targetIds)})`);
  // The indexes have `at`, which can be behind the line's real time: the first condition uses them, the second is exact.
  if (query.from) {
    const from = `$${values.push(query.from)}::timestamptz`;
    conditions.push(`at > ${from} - ${POSITION_LAG} AND greatest(at, last_at) >= ${from}`);
  }
  if (query.to) {
    const to = `$${values.push(query.to)}::timestamptz`;
    conditions.push(`at < ${to} AND greatest(at, last_at) < ${to}`);
  }
  if (query.after) {
    if (!isTimestamp(query.after.key)) throw fail("INVALID_CURSOR", "The cursor was altered. Start again without a cursor.");
    conditions.push(`(at, id) < ($${values.push(query.after.key)}, $${values.push(query.after.id)})`);
  }
  return { conditions, values };
}
