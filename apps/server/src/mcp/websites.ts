import type { Actor } from "#domain/actor";
import { fail } from "#domain/failure";
import type { Website, Workspace } from "#domain/website";
import { quoted } from "./content.ts";
import type { TransportServices } from "#operations/kernel/transport-services";
import { listWorkspaces } from "#operations/workspaces/list-workspaces";
import type { Role } from "@stet/contract";

/** Names that a message repeats; somebody with a hundred websites asks get_context. */
const MOST_NAMED = 20;

export interface ReachableWebsite extends Website {
  readonly workspace: Workspace & { readonly role: Role };
}

/** Every website that this actor can do something with now. */
export async function reachableWebsites(services: TransportServices, actor: Actor): Promise<readonly ReachableWebsite[]> {
  const workspaces = await services.execute(listWorkspaces, actor, {});
  return workspaces.flatMap(({ websites, ...workspace }) => websites.map((website) => ({ ...website, workspace })));
}

/** The one with this name, or the only one. A guess would write into the wrong blog, so several are a question. */
export function websiteNamed(websites: readonly ReachableWebsite[], name: string | undefined): ReachableWebsite {
  // Some models fill in what they should leave out.
  const wanted = name?.trim().toLowerCase() || undefined;
  const matching = wanted === undefined ? websites : websites.filter((website) => website.name.toLowerCase() === wanted);
  if (matching.length === 1) return matching[0]!;
  if (websites.length === 0) {
    throw fail("NOT_FOUND", "This app has no access to a website. Ask its owner to give it access to one, or to create one.");
  }
  if (wanted === undefined) {
    throw fail("VALIDATION_FAILED", `This app has access to several websites: ${listed(websites)}. Name one of them in "website".`);
  }
  if (matching.length > 1)
    throw fail("VALIDATION_FAILED", `Several websites are called ${quoted(name ?? "")}: ${listed(matching)}. Give the id instead.`);
  throw fail("NOT_FOUND", `This app has no access to a website called ${quoted(name ?? "")}. It has access to: ${listed(websites)}.`);
}

function listed(websites: readonly ReachableWebsite[]): string {
  const names = websites.slice(0, MOST_NAMED).map((website) => `${quoted(website.name)} (${website.id})`);
  return `${names.join(", ")}${websites.length > MOST_NAMED ? ", …" : ""}`;
}
