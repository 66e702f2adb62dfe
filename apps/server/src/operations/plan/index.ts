import { changePlan } from "./change-plan.ts";
import { getUsage } from "./get-usage.ts";

export const operations = { get_usage: getUsage, change_plan: changePlan } as const;
