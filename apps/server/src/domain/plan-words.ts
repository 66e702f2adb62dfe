import type { PlanName } from "@stet/contract";

/** How sentences about a limit name the plan: an unlimited workspace is limited only where its server's operator said so. */
export interface PlanWords {
  /** The subject of a sentence: the plan, or this server. */
  readonly subject: string;
  /** How to get more: ends a sentence. */
  readonly getMore: string;
  /** A sentence that says who can add a missing feature. */
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
