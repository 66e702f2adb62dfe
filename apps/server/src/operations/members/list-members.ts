import { PERMISSIONS } from "#domain/access";
import { workspaceOperation, type InWorkspace } from "../kernel/operation.ts";
import { type MemberView, memberView } from "./member-view.ts";

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

/** Whoever manages members in person sees their addresses; everyone sees their own. */
function seesAddressOf({ actor, role }: InWorkspace, userId: string): boolean {
  if (actor.type === "system") return true;
  if (actor.type === "tool") return false;
  return actor.userId === userId || (role !== null && PERMISSIONS["member.manage"][role] === "any");
}
