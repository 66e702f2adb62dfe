import { PLAN_NAMES, type PlanName } from "@stet/contract";
import { z } from "zod";
import { fail } from "#domain/failure";
import { downgradeProblems } from "#domain/plans";
import { workspaceOperation } from "../kernel/operation.ts";
import { currentPlan } from "../kernel/current-plan.ts";
import { measureUsage } from "./helpers/measure-usage.ts";

export interface PlanChange {
  readonly plan: PlanName;
  readonly previousPlan: PlanName;
}

export const changePlan = workspaceOperation({
  name: "change_plan",
  summary: "Change the plan of a workspace; a smaller plan must fit what exists.",
  permission: "plan.change",
  input: { plan: z.enum(PLAN_NAMES) },
  async run({ services, workspace, actor }, { plan }): Promise<PlanChange> {
    if (services.settings.planChanges === "operator" && actor.type !== "system") {
      throw fail("INSUFFICIENT_ROLE", "Only the operator of this server can change plans. Ask them.", { permission: "plan.change" });
    }
    if (plan === "unlimited" && actor.type !== "system") {
      throw fail(
        "INSUFFICIENT_ROLE",
        `Only the person who runs this server can remove a workspace's limits, with: stet plan set ${workspace.id} unlimited`,
        { permission: "plan.change", plan },
      );
    }
    return services.platform.locked(workspace.id, async (platform) => {
      // Read under the lock: a thing created at this moment is either counted here, or checked against the new plan.
      const previousPlan = await currentPlan(platform, workspace);
      if (plan === previousPlan) return { plan, previousPlan };
      const problems = downgradeProblems(await measureUsage(platform, workspace.id), services.plans[plan]);
      if (problems.length > 0) {
        const list = problems.map((problem) => problem.message).join(" ");
        throw fail("PLAN_LIMIT", `The workspace does not fit the ${plan} plan yet. ${list}`, { plan, problems });
      }
      await platform.workspaces.setPlan(workspace.id, plan);
      return { plan, previousPlan };
    });
  },
  changes: "access",
  activity: ({ workspace }, _, { plan, previousPlan }) =>
    plan === previousPlan ? null : { target: { id: workspace.id, label: workspace.name }, details: { plan, previousPlan } },
});
