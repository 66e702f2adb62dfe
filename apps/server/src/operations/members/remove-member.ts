import type { UserId } from "#domain/ids";
import { idOf, workspaceOperation } from "../kernel/operation.ts";
import { findOrdinaryMember, type MemberView, memberView, withdrawInvitationsOf } from "./helpers/member-view.ts";

export const removeMember = workspaceOperation({
  name: "remove_member",
  summary: "Remove a member who is not the owner; the posts they wrote stay.",
  permission: "member.manage",
  input: { userId: idOf<UserId>("user") },
  run: (context, { userId }): Promise<MemberView> =>
    context.services.platform.locked(context.workspace.id, async (platform) => {
      const member = await findOrdinaryMember(platform, context, userId);
      await platform.members.remove(context.workspace.id, userId);
      await withdrawInvitationsOf(platform, context, userId);
      return memberView(member);
    }),
  changes: "nothing",
  activity: (_, __, member) => ({ target: { id: member.userId, label: member.name }, details: { role: member.role } }),
});
