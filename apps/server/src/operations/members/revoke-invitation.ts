import { fail, notFound } from "#domain/failure";
import type { InvitationId } from "#domain/ids";
import { idOf, workspaceOperation } from "../kernel/operation.ts";

export const revokeInvitation = workspaceOperation({
  name: "revoke_invitation",
  summary: "Withdraw an invitation; its link stops working.",
  permission: "member.manage",
  input: { invitationId: idOf<InvitationId>("invitation") },
  run: ({ services, workspace }, { invitationId }): Promise<{ id: InvitationId; email: string }> =>
    // Locked, because it may be accepted at this moment: the second of the two is told.
    services.platform.locked(workspace.id, async (platform) => {
      const invitation = await platform.invitations.get(workspace.id, invitationId);
      if (!invitation) throw notFound("invitation");
      if (invitation.acceptedAt) {
        throw fail("INVALID_TRANSITION", "The invitation was already accepted. Remove the member instead.", {
          acceptedAt: invitation.acceptedAt,
        });
      }
      await platform.invitations.delete(workspace.id, invitationId);
      return { id: invitation.id, email: invitation.email };
    }),
  changes: "nothing",
  activity: (_, __, invitation) => ({ target: { id: invitation.id, label: invitation.email } }),
});
