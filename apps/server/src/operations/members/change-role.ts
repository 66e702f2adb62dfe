import type { Role } from "@stet/contract";
import { PERMISSIONS } from "#domain/access";
import type { UserId } from "#domain/ids";
import { idOf, workspaceOperation } from "../kernel/operation.ts";
import { ordinaryRole } from "./helpers/invitation-input.ts";
import { findOrdinaryMember, type MemberView, memberView, withdrawInvitationsOf } from "./helpers/member-view.ts";

export interface RoleChange {
  readonly member: MemberView;
  readonly previousRole: Role;
}

export const changeRole = workspaceOperation({
  name: "change_role",
  summary: "Change the role of a member who is not the owner.",
  permission: "member.manage",
  input: { userId: idOf<UserId>("user"), role: ordinaryRole },
  run: (context, { userId, role }): Promise<RoleChange> =>
    context.services.platform.locked(context.workspace.id, async (platform) => {
      const member = await findOrdinaryMember(platform, context, userId);
      if (role !== member.role) await platform.members.setRole(context.workspace.id, userId, role);
      if (PERMISSIONS["member.manage"][role] === "none") await withdrawInvitationsOf(platform, context, userId);
      return { member: memberView({ ...member, role }), previousRole: member.role };
    }),
  changes: "nothing",
  activity: (_, __, { member, previousRole }) =>
    member.role === previousRole
      ? null
      : { target: { id: member.userId, label: member.name }, details: { role: member.role, previousRole } },
});
