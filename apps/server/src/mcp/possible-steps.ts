import { type Permission, reachOf } from "#domain/access";
import { Failure } from "#domain/failure";
import type { ToolRun } from "./tool-run.ts";
import { reachableWebsites } from "./websites.ts";

/** The tools that take the steps a refused one says are possible; nobody but a person takes the others. */
const STEPS: Readonly<Record<string, { readonly tool: string; readonly permission: Permission }>> = {
  publish: { tool: "publish_post", permission: "post.publish" },
  schedule: { tool: "schedule_post", permission: "post.publish" },
  unpublish: { tool: "unpublish_post", permission: "post.publish" },
  update: { tool: "publish_post", permission: "post.publish" },
  delete: { tool: "delete_post", permission: "post.delete" },
  restore: { tool: "restore_post", permission: "post.restore" },
};

/** Where the website holds what tools change, nothing is done by these: a person decides about a suggestion. */
const HELD = " (waits until a person accepts it)";

/** Of the steps that the state of a post allows, those that its caller can take: by role and by grant; and, where the website holds them, that they wait. */
export async function possibleSteps({ caller, scope }: ToolRun, { code, facts }: Failure): Promise<readonly string[]> {
  if (code !== "INVALID_TRANSITION" || !Array.isArray(facts["possible"])) return [];
  const { services, actor } = caller;
  const website = (await reachableWebsites(services, actor)).find(({ id }) => id === scope?.websiteId);
  if (!website) return [];
  const { workspaceId, workspace, settings } = website;
  const known = facts["possible"].map((step) => STEPS[String(step)]).filter((step) => step !== undefined);
  const tools = [...new Set(known.filter(({ permission }) => isAllowed(permission)).map(({ tool }) => tool))];
  // A draft that no reader ever saw is free.
  const isHeld = settings.holdToolChanges && facts["status"] !== "draft";
  return isHeld ? tools.map((tool) => `${tool}${HELD}`) : tools;

  function isAllowed(permission: Permission): boolean {
    try {
      reachOf(actor, permission, { workspaceId, role: workspace.role });
      return true;
    } catch (error) {
      if (error instanceof Failure) return false;
      throw error;
    }
  }
}
