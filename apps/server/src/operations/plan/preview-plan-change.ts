import { HOSTED_PLAN_NAMES, type HostedPlanName } from "@stet/contract";
import { z } from "zod";
import { downgradeProblems, type PlanLimits, type PlanProblem } from "#domain/plans";
import { workspaceOperation } from "../kernel/operation.ts";
import { measureUsage } from "./helpers/measure-usage.ts";

export interface PlanPreview {
  readonly plan: HostedPlanName;
  readonly limits: PlanLimits;
  /** The changes to make first; empty when the workspace fits. */
  readonly problems: readonly PlanProblem[];
}

export const previewPlanChange = workspaceOperation({
  name: "preview_plan_change",
  summary: "Show what would have to change before a workspace fits another plan.",
  permission: "plan.change",
  input: { plan: z.enum(HOSTED_PLAN_NAMES) },
  async run({ services, workspace }, { plan }): Promise<PlanPreview> {
    const limits = services.plans[plan];
    const usage = await measureUsage(services.platform, workspace.id);
    return { plan, limits, problems: plan === workspace.plan ? [] : downgradeProblems(usage, limits) };
  },
  activity: "none",
});
