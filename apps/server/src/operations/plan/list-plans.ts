import { PLAN_NAMES, type PlanName } from "@stet/contract";
import type { PlanLimits } from "#domain/plans";
import { workspaceOperation } from "../kernel/operation.ts";

export interface PlanList {
  /** The smallest first. */
  readonly plans: readonly { readonly name: PlanName; readonly limits: PlanLimits }[];
  /** Who changes them on this install. */
  readonly changedBy: "owner" | "operator";
}

export const listPlans = workspaceOperation({
  name: "list_plans",
  summary: "List the plans of this install with what each allows.",
  permission: "workspace.read",
  input: {},
  run: async ({ services: { plans, settings } }): Promise<PlanList> => ({
    plans: PLAN_NAMES.map((name) => ({ name, limits: plans[name] })),
    changedBy: settings.planChanges,
  }),
  activity: "none",
});
