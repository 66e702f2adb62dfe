import type { Role } from "@stet/contract";
import type { Workspace } from "#domain/website";
import { workspaceOperation } from "../kernel/operation.ts";

export const getWorkspace = workspaceOperation({
  name: "get_workspace",
  summary: "Read a workspace: its name, its plan and your role.",
  permission: "workspace.read",
  input: {},
  run: async ({ workspace, role }): Promise<Workspace & { role: Role | null }> => ({ ...workspace, role }),
  activity: "none",
});
