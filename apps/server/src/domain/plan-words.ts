import type { PlanName } from "@stet/contract";

/** How sentences about a limit name the plan: an unlimited workspace is limited only where its server's operator said so. */
export interface PlanWords {
  /** What limits: begins a sentence. */
  readonly subject: string;
  /** How to get more: ends a sentence. */
  readonly getMore: string;
  /** Who can include a missing feature: a sentence. */
  readonly include: string;
}

export const planWords = (plan: PlanName): PlanWords =>
  plan === "unlimited"
    ? {
        subject: "This server",
        getMore: "raise the limit in STET_PLANS",
        include: "The person who runs the server can switch it on in STET_PLANS.",
      }
    : { subject: `The ${plan} plan`, getMore: "choose a larger plan", include: "The owner of the workspace can change its plan." };
