import type { Connection, ConnectionKind } from "#domain/connection";
import type { GrantId, UserId, WorkspaceId } from "#domain/ids";
import type { Timestamp } from "#domain/time";
import type { Connections } from "#ports/connections";
import type { Database } from "../database.ts";
import { untilWritesEnd } from "./in-force.ts";

export interface ConnectionRow extends Record<string, unknown> {
  id: GrantId;
  user_id: UserId;
  kind: ConnectionKind;
  client_id: string;
  client_name: string;
  client_host: string | null;
  redirect_host: string | null;
  workspace_id: WorkspaceId | null;
  allow_delete: boolean;
  publish_per_hour: number;
  created_at: Timestamp;
  last_used_at: Timestamp | null;
  calls: string;
  revoked_at: Timestamp | null;
}

export const CONNECTION_COLUMNS = `id, user_id, kind, client_id, client_name, client_host, redirect_host, workspace_id, allow_delete,
  publish_per_hour, created_at, last_used_at, calls, revoked_at`;

export const connectionOf = (row: ConnectionRow): Connection => ({
  id: row.id,
  userId: row.user_id,
  kind: row.kind,
  client: { id: row.client_id, name: row.client_name, host: row.client_host, redirectHost: row.redirect_host },
  workspaces: row.workspace_id ?? "all",
  allowDelete: row.allow_delete,
  publishPerHour: row.publish_per_hour,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
  calls: Number(row.calls),
  revokedAt: row.revoked_at,
});

const workspaceOf = ({ workspaces }: Pick<Connection, "workspaces">): WorkspaceId | null => (workspaces === "all" ? null : workspaces);

type Grants = Pick<
  Connections,
  "create" | "get" | "hasBeen" | "listOf" | "listInto" | "listPast" | "change" | "revoke" | "listLapsed" | "touch"
>;

export const grants = (database: Database): Grants => ({
  async create(connection) {
    const { client } = connection;
    await database.query({
      text: `INSERT INTO connections (${CONNECTION_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
      values: [
        connection.id,
        connection.userId,
        connection.kind,
        client.id,
        client.name,
        client.host,
        client.redirectHost,
        workspaceOf(connection),
        connection.allowDelete,
        connection.publishPerHour,
        connection.createdAt,
        connection.lastUsedAt,
        connection.calls,
        connection.revokedAt,
      ],
    });
  },

  async get(id) {
    const { rows } = await database.query<ConnectionRow>({
      text: `SELECT ${CONNECTION_COLUMNS} FROM connections WHERE id = $1`,
      values: [id],
    });
    return rows[0] ? connectionOf(rows[0]) : null;
  },

  async hasBeen(userId, clientId) {
    const { rowCount } = await database.query({
      text: "SELECT FROM connections WHERE user_id = $1 AND client_id = $2 LIMIT 1",
      values: [userId, clientId],
    });
    return rowCount === 1;
  },

  async listOf(userId) {
    const { rows } = await database.query<ConnectionRow>({
      text: `SELECT ${CONNECTION_COLUMNS} FROM connections WHERE user_id = $1 AND revoked_at IS NULL ORDER BY id DESC`,
      values: [userId],
    });
    return rows.map(connectionOf);
  },

  async listInto(workspaceId) {
    const { rows } = await database.query<ConnectionRow>({
      text: `SELECT ${CONNECTION_COLUMNS} FROM connections
             WHERE user_id IN (SELECT user_id FROM members WHERE members.workspace_id = $1)
               AND (workspace_id IS NULL OR workspace_id = $1) AND revoked_at IS NULL
             ORDER BY id DESC`,
      values: [workspaceId],
    });
    return rows.map(connectionOf);
  },

  async listPast(workspaceId, limit) {
    // A workspace has millions of calls of a few connections: each connection costs one look into the index.
    const { rows } = await database.query<ConnectionRow>({
      text: `WITH RECURSIVE used AS (
               (SELECT connection_id FROM tool_calls WHERE workspace_id = $1 ORDER BY connection_id LIMIT 1)
               UNION ALL
               SELECT (SELECT next.connection_id FROM tool_calls AS next
                       WHERE next.workspace_id = $1 AND next.connection_id > used.connection_id ORDER BY next.connection_id LIMIT 1)
               FROM used WHERE used.connection_id IS NOT NULL
             )
             SELECT ${CONNECTION_COLUMNS} FROM connections
             WHERE id IN (SELECT connection_id FROM used)
               AND NOT (revoked_at IS NULL AND (workspace_id IS NULL OR workspace_id = $1)
                        AND user_id IN (SELECT user_id FROM members WHERE members.workspace_id = $1))
             ORDER BY last_used_at DESC NULLS LAST, id DESC LIMIT $2`,
      values: [workspaceId, limit],
    });
    return rows.map(connectionOf);
  },

  async change(id, change, seen) {
    const values: unknown[] = [id, workspaceOf(change), change.allowDelete, change.publishPerHour];
    if (seen) values.push(workspaceOf(seen), seen.allowDelete, seen.publishPerHour);
    const { rowCount } = await database.query({
      text: `UPDATE connections SET workspace_id = $2, allow_delete = $3, publish_per_hour = $4 WHERE id = $1 AND revoked_at IS NULL
             ${seen ? "AND workspace_id IS NOT DISTINCT FROM $5 AND allow_delete = $6 AND publish_per_hour = $7" : ""}`,
      values,
    });
    if (rowCount === 1) await untilWritesEnd(database, id);
    return rowCount === 1;
  },

  async revoke(id, at) {
    // One statement, so one transaction: no token outlives its connection.
    const { rowCount } = await database.query({
      text: `WITH ended AS (UPDATE connections SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL RETURNING id),
                  gone AS (DELETE FROM oauth_records WHERE grant_id = $1)
             SELECT FROM ended`,
      values: [id, at],
    });
    // Also for whoever presses it a second time: it is answered when it is true.
    await untilWritesEnd(database, id);
    return rowCount === 1;
  },

  async listLapsed(before, limit) {
    const { rows } = await database.query<{ id: GrantId }>({
      text: `SELECT id FROM connections
             WHERE revoked_at IS NULL AND created_at < $1 AND NOT EXISTS (
               SELECT FROM oauth_records
               WHERE grant_id = connections.id AND model <> 'Grant' AND (expires_at IS NULL OR expires_at > extract(epoch FROM $1::timestamptz)))
             LIMIT $2`,
      values: [before, limit],
    });
    return rows.map(({ id }) => id);
  },

  async touch(used) {
    if (used.length === 0) return;
    await database.query({
      text: `UPDATE connections SET calls = connections.calls + used.calls,
                                    last_used_at = greatest(connections.last_used_at, date_trunc('minute', used.at))
             FROM unnest($1::text[], $2::timestamptz[], $3::bigint[]) AS used (id, at, calls)
             WHERE connections.id = used.id`,
      values: [used.map(({ id }) => id), used.map(({ at }) => at), used.map(({ calls }) => calls)],
    });
  },
});
