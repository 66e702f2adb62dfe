import { changePlan } from "./change-plan.ts";
import { getUsage } from "./get-usage.ts";
import { previewPlanChange } from "./preview-plan-change.ts";

export const operations = { get_usage: getUsage, change_plan: changePlan, preview_plan_change: previewPlanChange } as const;
