import type { WorkspaceId } from "#domain/ids";
import { workspaceOperation } from "../kernel/operation.ts";
import { userIdOf } from "../kernel/user-id-of.ts";
import { findOrdinaryMember, withdrawInvitationsOf } from "./helpers/member-view.ts";

/** For persons: a tool that leaves would shut its owner out. */
export const leaveWorkspace = workspaceOperation({
  name: "leave_workspace",
  summary: "Stop being a member of a workspace.",
  permission: "workspace.leave",
  input: {},
  async run(context): Promise<{ workspaceId: WorkspaceId }> {
    const userId = userIdOf(context);
    await context.services.platform.locked(context.workspace.id, async (platform) => {
      await findOrdinaryMember(platform, context, userId);
      await platform.members.remove(context.workspace.id, userId);
      await withdrawInvitationsOf(platform, context, userId);
    });
    return { workspaceId: context.workspace.id };
  },
  changes: "nothing",
  activity: ({ workspace, role }) => ({ target: { id: workspace.id, label: workspace.name }, details: { role } }),
});
