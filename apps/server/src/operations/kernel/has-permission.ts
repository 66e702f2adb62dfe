import { type Permission, reachOf } from "#domain/access";
import { Failure } from "#domain/failure";
import type { InWorkspace } from "./operation.ts";

/** Whether the caller has a permission beside the one that was asked for, so that an answer can leave out what it opens. */
export function hasPermission({ actor, workspace, role }: InWorkspace, permission: Permission): boolean {
  try {
    return reachOf(actor, permission, { workspaceId: workspace.id, role }) === "any";
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}
