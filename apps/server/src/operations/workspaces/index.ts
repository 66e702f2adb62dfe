import { createWorkspace } from "./create-workspace.ts";
import { deleteWorkspace } from "./delete-workspace.ts";
import { getWorkspace } from "./get-workspace.ts";
import { listActivity } from "./list-activity.ts";
import { listWorkspaces } from "./list-workspaces.ts";
import { renameWorkspace } from "./rename-workspace.ts";
import { transferOwnership } from "./transfer-ownership.ts";

export const operations = {
  create_workspace: createWorkspace,
  list_workspaces: listWorkspaces,
  get_workspace: getWorkspace,
  rename_workspace: renameWorkspace,
  delete_workspace: deleteWorkspace,
  transfer_ownership: transferOwnership,
  list_activity: listActivity,
} as const;
