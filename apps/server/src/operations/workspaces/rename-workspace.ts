import type { Workspace } from "#domain/website";
import { nameOf } from "../kernel/inputs.ts";
import { workspaceOperation } from "../kernel/operation.ts";

export const renameWorkspace = workspaceOperation({
  name: "rename_workspace",
  summary: "Rename a workspace.",
  permission: "workspace.manage",
  input: { name: nameOf() },
  async run({ workspace, services }, { name }): Promise<Workspace> {
    if (name !== workspace.name) await services.platform.workspaces.rename(workspace.id, name);
    return { ...workspace, name };
  },
  changes: "access",
  activity: ({ workspace }, _, renamed) =>
    renamed.name === workspace.name ? null : { target: { id: renamed.id, label: renamed.name }, details: { previousName: workspace.name } },
});
