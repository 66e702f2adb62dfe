import { changePlan } from "./change-plan.ts";
import { getUsage } from "./get-usage.ts";
import { listPlans } from "./list-plans.ts";
import { previewPlanChange } from "./preview-plan-change.ts";

export const operations = {
  get_usage: getUsage,
  list_plans: listPlans,
  change_plan: changePlan,
  preview_plan_change: previewPlanChange,
} as const;
