import { fail } from "#domain/failure";
import type { MoveSubject } from "#domain/move";
import type { OwnDatabase } from "#domain/own-database";
import { planWords } from "#domain/plan-words";
import type { Platform } from "#ports/platform";
import { currentPlan } from "../../kernel/current-plan.ts";
import type { InWebsite } from "../../kernel/operation.ts";
import type { Services } from "../../kernel/services.ts";

/** Why no website of this install can have a database of its own, in words; null: they can. */
export const whyImpossible = ({ contents }: Pick<Services, "contents">): string | null =>
  contents.asMover
    ? null
    : "This server keeps all content in one MongoDB (its setting CONTENT_URL). Saving there cannot be held back while a website moves, so websites cannot have their own database here.";

/** Refuses where the plan, or the install, does not include databases of one's own. Inside a lock, `platform` is the one that holds it. */
export async function requireOwnDatabases(platform: Platform, { services, workspace }: InWebsite): Promise<void> {
  const plan = await currentPlan(platform, workspace);
  if (!services.plans[plan].ownDatabase) {
    const { subject, include } = planWords(plan);
    throw fail("PLAN_REQUIRED", `${subject} does not include your own database. ${include}`, { feature: "ownDatabase", plan });
  }
  const reason = whyImpossible(services);
  if (reason !== null) throw fail("INVALID_TRANSITION", reason);
}

/** The database of the website; refused where it has none. */
export async function requireDatabase(platform: Platform, { website }: InWebsite): Promise<OwnDatabase> {
  const database = await platform.ownDatabases.get(website.id);
  if (!database) throw fail("INVALID_TRANSITION", "This website has no database of its own. Connect one first.");
  return database;
}

/** Refuses while something else is under way between the website and its database. */
export async function requireNoMove(platform: Platform, { website }: InWebsite, subject: MoveSubject): Promise<void> {
  if ((await platform.moves.get(website.id, subject))?.state === "running")
    throw fail("INVALID_TRANSITION", "Content of this website is being copied right now. Wait until that is done, or stop it first.");
}

/** As it is now, and not as it was when the call began. */
export async function homeNow(platform: Platform, { website }: InWebsite): Promise<InWebsite["website"]> {
  return (await platform.websites.get(website.id)) ?? website;
}
