import type { PlanName, Role } from "@stet/contract";
import { fold } from "#domain/fold";
import type { WorkspaceId } from "#domain/ids";
import type { Timestamp } from "#domain/time";
import type { Workspace } from "#domain/website";
import type { Workspaces } from "#ports/platform";
import type { Queryable } from "../database.ts";
import { compareText } from "../sum-by.ts";
import { all, one, oneOften, run, type Scope } from "./scope.ts";

interface Row extends Record<string, unknown> {
  id: WorkspaceId;
  name: string;
  plan: PlanName;
  created_at: Timestamp;
  deleted_at: Timestamp | null;
}

const COLUMNS = "workspaces.id, workspaces.name, workspaces.plan, workspaces.created_at, workspaces.deleted_at";

const workspaceOf = (row: Row): Workspace => ({
  id: row.id,
  name: row.name,
  plan: row.plan,
  createdAt: row.created_at,
  deletedAt: row.deleted_at,
});

/** Everything kept for a workspace beside its record and its websites. */
const TABLES_OF_A_WORKSPACE = ["activity", "workspace_usage", "usage_warnings"];

export const workspaces = (scope: Scope): Workspaces => ({
  async get(id) {
    const row = await oneOften<Row>(scope, `SELECT ${COLUMNS} FROM workspaces WHERE id = $1 AND deleted_at IS NULL`, [id]);
    return row && workspaceOf(row);
  },

  async oldest() {
    const row = await one<Row>(scope, `SELECT ${COLUMNS} FROM workspaces WHERE deleted_at IS NULL ORDER BY created_at, id LIMIT 1`, []);
    return row && workspaceOf(row);
  },

  async create(workspace, owner) {
    await run(
      scope,
      `WITH made AS (
         INSERT INTO workspaces (id, name, plan, created_at, deleted_at) VALUES ($1, $2, $3, $4, $5)
       )
       INSERT INTO members (workspace_id, user_id, role, joined_at) VALUES ($1, $6, $7, $8)`,
      [workspace.id, workspace.name, workspace.plan, workspace.createdAt, workspace.deletedAt, owner.userId, owner.role, owner.joinedAt],
    );
  },

  async rename(id, name) {
    await run(scope, "UPDATE workspaces SET name = $2 WHERE id = $1 AND deleted_at IS NULL", [id, name]);
  },

  async setPlan(id, plan) {
    await run(scope, "UPDATE workspaces SET plan = $2 WHERE id = $1 AND deleted_at IS NULL", [id, plan]);
  },

  async markDeleted(id, at) {
    // Reminders of posts that nobody can see any more would only keep the worker's timer busy.
    await run(
      scope,
      `WITH gone AS (UPDATE workspaces SET deleted_at = $2 WHERE id = $1 AND deleted_at IS NULL)
       DELETE FROM schedules WHERE website_id IN (SELECT id FROM websites WHERE workspace_id = $1)`,
      [id, at],
    );
  },

  async listFor(userId) {
    const rows = await all<Row & { role: Role }>(
      scope,
      `SELECT ${COLUMNS}, members.role
       FROM members JOIN workspaces ON workspaces.id = members.workspace_id
       WHERE members.user_id = $1 AND workspaces.deleted_at IS NULL
       ORDER BY workspaces.id`,
      [userId],
    );
    // By the folded name, as every list of names; PostgreSQL cannot fold as we do.
    const found = rows.map((row) => ({ ...workspaceOf(row), role: row.role }));
    return found.toSorted((a, b) => compareText(fold(a.name), fold(b.name)));
  },

  isEmptyInstall: () => isEmpty(scope),

  whileEmpty: (work) =>
    scope.atomically(async (connection) => {
      await run(connection, "SELECT pg_advisory_xact_lock($1)", [SETUP_LOCK]);
      return (await isEmpty(connection)) ? work() : null;
    }),

  async listDeletedBefore(before, limit) {
    // Not before its websites are erased: only they lead to the content that must go first.
    const rows = await all<{ id: WorkspaceId }>(
      scope,
      `SELECT id FROM workspaces
       WHERE deleted_at < $1 AND NOT EXISTS (SELECT FROM websites WHERE websites.workspace_id = workspaces.id)
       ORDER BY deleted_at, id LIMIT $2`,
      [before, limit],
    );
    return rows.map((row) => row.id);
  },

  erase: (id) =>
    scope.atomically(async (connection) => {
      const website = await one(connection, "SELECT id FROM websites WHERE workspace_id = $1 LIMIT 1", [id]);
      if (website) throw new Error(`The workspace ${id} still has websites. Erase them, with their content, first.`);
      for (const table of TABLES_OF_A_WORKSPACE) await run(connection, `DELETE FROM ${table} WHERE workspace_id = $1`, [id]);
      // Members, invitations and letters go with it.
      await run(connection, "DELETE FROM workspaces WHERE id = $1", [id]);
    }),
});

/** Any number that nobody else locks. */
const SETUP_LOCK = 7_838_002;

async function isEmpty(scope: Queryable): Promise<boolean> {
  // A deleted workspace counts: someone has moved in, and can sign in and start another.
  const row = await one<{ empty: boolean }>(scope, "SELECT NOT EXISTS (SELECT FROM workspaces) AS empty", []);
  return row!.empty;
}
