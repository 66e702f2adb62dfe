import type { PlanName } from "@stet/contract";
import type { Workspace } from "#domain/website";
import type { Platform } from "#ports/platform";

/** The plan as it is under the lock: it may have been changed since the request came in. */
export async function currentPlan(platform: Platform, workspace: Workspace): Promise<PlanName> {
  return (await platform.workspaces.get(workspace.id))?.plan ?? workspace.plan;
}
