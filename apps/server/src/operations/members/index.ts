import { acceptInvitation } from "./accept-invitation.ts";
import { changeRole } from "./change-role.ts";
import { inviteMember } from "./invite-member.ts";
import { leaveWorkspace } from "./leave-workspace.ts";
import { listInvitations } from "./list-invitations.ts";
import { listMembers } from "./list-members.ts";
import { listPeople } from "./list-people.ts";
import { listRoles } from "./list-roles.ts";
import { removeMember } from "./remove-member.ts";
import { revokeInvitation } from "./revoke-invitation.ts";

export const operations = {
  list_members: listMembers,
  list_people: listPeople,
  list_roles: listRoles,
  invite_member: inviteMember,
  list_invitations: listInvitations,
  revoke_invitation: revokeInvitation,
  accept_invitation: acceptInvitation,
  change_role: changeRole,
  remove_member: removeMember,
  leave_workspace: leaveWorkspace,
} as const;
