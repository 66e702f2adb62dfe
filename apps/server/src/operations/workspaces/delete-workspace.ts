import type { WorkspaceId } from "#domain/ids";
import type { Timestamp } from "#domain/time";
import { closing } from "../kernel/closing.ts";
import { requireTypedName, typedName } from "../kernel/require-typed-name.ts";
import { workspaceOperation } from "../kernel/operation.ts";

/** Gone for everyone at once: keys, tools and people. The sweep erases it after 30 days. */
export const deleteWorkspace = workspaceOperation({
  name: "delete_workspace",
  summary: "Delete a workspace with all its websites.",
  permission: "workspace.delete",
  input: { confirmName: typedName },
  async run({ workspace, services, now }, { confirmName }): Promise<{ id: WorkspaceId; deletedAt: Timestamp }> {
    requireTypedName(confirmName, workspace.name);
    await closing(services.signals, workspace.id, () => services.platform.workspaces.markDeleted(workspace.id, now));
    return { id: workspace.id, deletedAt: now };
  },
  changes: "access",
  activity: ({ workspace }) => ({ target: { id: workspace.id, label: workspace.name } }),
});
