import type { PlanName } from "@stet/contract";

/** A workspace of one's own server has no plan to choose: its limits are the ones that the operator set, if any. */
export const isOwnServer = (plan: PlanName): boolean => plan === "unlimited";

/** The name of the page that shows the plan and what is used of it. */
export const usagePageName = (plan: PlanName): string => (isOwnServer(plan) ? "Usage" : "Plan and usage");
