import { PLAN_NAMES } from "@stet/contract";
import { z } from "zod";
import { fail, invalid } from "#domain/failure";
import { newId, type UserId } from "#domain/ids";
import { millis } from "#domain/time";
import type { Workspace } from "#domain/website";
import { nameOf } from "../kernel/inputs.ts";
import { accountOperation, type Call, idOf } from "../kernel/operation.ts";

export const createWorkspace = accountOperation({
  name: "create_workspace",
  summary: "Create a workspace. You become its owner.",
  permission: "account.write",
  input: {
    name: nameOf(),
    /** Only for the operator of the install, who is nobody in particular. */
    ownerId: idOf<UserId>("user").optional(),
    /** Only for the operator of the install. Without it: the plan that new workspaces start on. */
    plan: z.enum(PLAN_NAMES).optional(),
  },
  async run(call, input): Promise<Workspace> {
    const { services, now } = call;
    const userId = await ownerOf(call, input.ownerId);
    if (input.plan !== undefined && call.actor.type !== "system") {
      throw fail("INSUFFICIENT_ROLE", "A new workspace starts on the plan that the operator of this server chose. Change it afterwards.");
    }
    const id = newId("workspace", millis(now));
    const plan = input.plan ?? services.settings.defaultPlan;
    const workspace: Workspace = { id, name: input.name, plan, createdAt: now, deletedAt: null };
    await services.platform.workspaces.create(workspace, { workspaceId: id, userId, role: "owner", joinedAt: now });
    return workspace;
  },
  changes: "nothing",
  activity: (_, __, workspace) => ({
    workspaceId: workspace.id,
    target: { id: workspace.id, label: workspace.name },
    details: { plan: workspace.plan },
  }),
});

async function ownerOf({ actor, services }: Call, named: UserId | undefined): Promise<UserId> {
  if (actor.type !== "system") {
    if (named === undefined || named === actor.userId) return actor.userId;
    throw fail("INSUFFICIENT_ROLE", "You can create a workspace only for yourself. Transfer its ownership afterwards.");
  }
  if (named === undefined) throw invalid([{ field: "ownerId", message: "is needed: a job cannot own a workspace" }]);
  if (!(await services.accounts.get(named))) throw invalid([{ field: "ownerId", message: "is not an account" }]);
  return named;
}
