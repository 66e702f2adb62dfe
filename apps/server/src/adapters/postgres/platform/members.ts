import type { Role } from "@stet/contract";
import type { UserId, WorkspaceId } from "#domain/ids";
import type { Timestamp } from "#domain/time";
import type { Members } from "#ports/platform";
import { all, oneOften, run, type Scope } from "./scope.ts";

interface Row extends Record<string, unknown> {
  workspace_id: WorkspaceId;
  user_id: UserId;
  role: Role;
  joined_at: Timestamp;
  name: string;
  email: string;
  email_verified: boolean;
}

export const members = (scope: Scope): Members => ({
  async role(workspaceId, userId) {
    const row = await oneOften<{ role: Role }>(
      scope,
      `SELECT members.role FROM members JOIN live_workspaces ON live_workspaces.id = members.workspace_id
       WHERE members.workspace_id = $1 AND members.user_id = $2`,
      [workspaceId, userId],
    );
    return row?.role ?? null;
  },

  async list(workspaceId) {
    // Also those whose account is gone, so that someone can remove them.
    const rows = await all<Row>(
      scope,
      `SELECT members.workspace_id, members.user_id, members.role, members.joined_at,
              coalesce(person.name, '') AS name, coalesce(person.email, '') AS email,
              coalesce(person."emailVerified", false) AS email_verified
       FROM members JOIN live_workspaces ON live_workspaces.id = members.workspace_id
       LEFT JOIN "user" AS person ON person.id = members.user_id
       WHERE members.workspace_id = $1
       ORDER BY members.joined_at, members.user_id`,
      [workspaceId],
    );
    return rows.map((row) => ({
      workspaceId: row.workspace_id,
      userId: row.user_id,
      role: row.role,
      joinedAt: row.joined_at,
      name: row.name,
      email: row.email,
      emailVerified: row.email_verified,
    }));
  },

  async add(member) {
    // A person who is a member already keeps the role: an old invitation must not raise or lower it.
    await run(
      scope,
      `INSERT INTO members (workspace_id, user_id, role, joined_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (workspace_id, user_id) DO NOTHING`,
      [member.workspaceId, member.userId, member.role, member.joinedAt],
    );
  },

  async setRole(workspaceId, userId, role) {
    await run(scope, "UPDATE members SET role = $3 WHERE workspace_id = $1 AND user_id = $2", [workspaceId, userId, role]);
  },

  async remove(workspaceId, userId) {
    await run(scope, "DELETE FROM members WHERE workspace_id = $1 AND user_id = $2", [workspaceId, userId]);
  },
});
