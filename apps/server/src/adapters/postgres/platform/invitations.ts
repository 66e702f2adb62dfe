import type { InvitationId, UserId, WorkspaceId } from "#domain/ids";
import type { Timestamp } from "#domain/time";
import type { Invitation } from "#domain/website";
import type { Invitations } from "#ports/platform";
import { all, one, run, type Scope } from "./scope.ts";

interface Row extends Record<string, unknown> {
  id: InvitationId;
  workspace_id: WorkspaceId;
  email: string;
  role: Invitation["role"];
  invited_by: UserId;
  created_at: Timestamp;
  expires_at: Timestamp;
  accepted_at: Timestamp | null;
}

const SELECT = `
  SELECT invitations.id, invitations.workspace_id, invitations.email, invitations.role, invitations.invited_by,
         invitations.created_at, invitations.expires_at, invitations.accepted_at
  FROM invitations JOIN live_workspaces ON live_workspaces.id = invitations.workspace_id`;

const invitationOf = (row: Row): Invitation => ({
  id: row.id,
  workspaceId: row.workspace_id,
  email: row.email,
  role: row.role,
  invitedBy: row.invited_by,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  acceptedAt: row.accepted_at,
});

export const invitations = (scope: Scope): Invitations => ({
  async create(invitation, tokenHash, secretId) {
    await run(
      scope,
      `INSERT INTO invitations (workspace_id, id, email, role, invited_by, token_hash, created_at, expires_at, accepted_at, secret_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        invitation.workspaceId,
        invitation.id,
        invitation.email,
        invitation.role,
        invitation.invitedBy,
        tokenHash,
        invitation.createdAt,
        invitation.expiresAt,
        invitation.acceptedAt,
        secretId,
      ],
    );
  },

  async get(workspaceId, id) {
    const row = await one<Row>(scope, `${SELECT} WHERE invitations.workspace_id = $1 AND invitations.id = $2`, [workspaceId, id]);
    return row && invitationOf(row);
  },

  async findByTokenHash(tokenHash) {
    const row = await one<Row>(scope, `${SELECT} WHERE invitations.token_hash = $1`, [tokenHash]);
    return row && invitationOf(row);
  },

  async listOpen(workspaceId, now) {
    const rows = await all<Row>(
      scope,
      `${SELECT}
       WHERE invitations.workspace_id = $1 AND invitations.accepted_at IS NULL AND invitations.expires_at > $2
       ORDER BY invitations.created_at, invitations.id`,
      [workspaceId, now],
    );
    return rows.map(invitationOf);
  },

  async markAccepted(workspaceId, id, at) {
    const marked = await run(scope, "UPDATE invitations SET accepted_at = $3 WHERE workspace_id = $1 AND id = $2 AND accepted_at IS NULL", [
      workspaceId,
      id,
      at,
    ]);
    return marked === 1;
  },

  async delete(workspaceId, id) {
    await run(scope, "DELETE FROM invitations WHERE workspace_id = $1 AND id = $2", [workspaceId, id]);
  },
});
