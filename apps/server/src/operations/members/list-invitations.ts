import type { Invitation } from "#domain/website";
import { workspaceOperation } from "../kernel/operation.ts";

export const listInvitations = workspaceOperation({
  name: "list_invitations",
  summary: "List the invitations that can still be accepted.",
  permission: "member.manage",
  input: {},
  run: ({ services, workspace, now }): Promise<readonly Invitation[]> => services.platform.invitations.listOpen(workspace.id, now),
  activity: "none",
});
