import { workspaceOperation } from "../kernel/operation.ts";
import { type MemberView, memberView, seesAddressOf } from "./helpers/member-view.ts";

export const listMembers = workspaceOperation({
  name: "list_members",
  summary: "List the members of a workspace with their roles.",
  permission: "workspace.read",
  input: {},
  async run(context): Promise<readonly MemberView[]> {
    const members = await context.services.platform.members.list(context.workspace.id);
    return members.map((member) => ({ ...memberView(member), email: seesAddressOf(context, member.userId) ? member.email : null }));
  },
  activity: "none",
});
