import { HOSTED_PLAN_NAMES, type HostedPlanName } from "@stet/contract";
import type { PlanLimits } from "#domain/plans";
import { workspaceOperation } from "../kernel/operation.ts";

export interface PlanList {
  /** Those an owner can choose, the smallest first. */
  readonly plans: readonly { readonly name: HostedPlanName; readonly limits: PlanLimits }[];
  /** The one who changes plans on this install. */
  readonly changedBy: "owner" | "operator";
}

export const listPlans = workspaceOperation({
  name: "list_plans",
  summary: "List the plans that an owner can choose, with what each allows.",
  permission: "workspace.read",
  input: {},
  run: async ({ services: { plans, settings } }): Promise<PlanList> => ({
    plans: HOSTED_PLAN_NAMES.map((name) => ({ name, limits: plans[name] })),
    changedBy: settings.planChanges,
  }),
  activity: "none",
});
