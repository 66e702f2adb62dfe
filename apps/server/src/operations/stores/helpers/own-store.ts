import { fail } from "#domain/failure";
import type { OwnImageStore } from "#domain/own-image-store";
import { planWords } from "#domain/plan-words";
import type { Platform } from "#ports/platform";
import { currentPlan } from "../../kernel/current-plan.ts";
import type { InWebsite } from "../../kernel/operation.ts";

/** Refuses where the plan does not include stores of one's own. Inside a lock, `platform` is the one that holds it. */
export async function requireOwnImageStore(platform: Platform, { services, workspace }: InWebsite): Promise<void> {
  const plan = await currentPlan(platform, workspace);
  if (services.plans[plan].ownImageStore) return;
  const { subject, include } = planWords(plan);
  throw fail("PLAN_REQUIRED", `${subject} does not include your own image storage. ${include}`, { feature: "ownImageStore", plan });
}

/** The store of the website; refused where it has none. */
export async function requireStore(platform: Platform, { website }: InWebsite): Promise<OwnImageStore> {
  const store = await platform.ownImageStores.get(website.id);
  if (!store) throw fail("INVALID_TRANSITION", "This website has no image storage of its own. Connect one first.");
  return store;
}

export const isLeaving = () =>
  fail("INVALID_TRANSITION", "The image storage is being disconnected. Stop that first, or wait until it is done.");
