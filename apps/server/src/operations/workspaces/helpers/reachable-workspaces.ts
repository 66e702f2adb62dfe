import type { Role } from "@stet/contract";
import type { Workspace } from "#domain/website";
import type { Call } from "../../kernel/operation.ts";
import { userIdOf } from "../../kernel/user-id-of.ts";

/** The workspaces of the actor; a tool sees those of its grant and no others. */
export async function reachableWorkspaces(call: Call): Promise<readonly (Workspace & { role: Role })[]> {
  const { actor, services } = call;
  const workspaces = await services.platform.workspaces.listFor(userIdOf(call));
  if (actor.type !== "tool" || actor.grant.workspaces === "all") return workspaces;
  return workspaces.filter((workspace) => workspace.id === actor.grant.workspaces);
}
