import type { Role } from "@stet/contract";
import type { Website, Workspace } from "#domain/website";
import { accountOperation } from "../kernel/operation.ts";
import { reachableWorkspaces } from "./helpers/reachable-workspaces.ts";

export interface ReachableWorkspace extends Workspace {
  readonly role: Role;
  /** Oldest first. */
  readonly websites: readonly Website[];
}

/** With their websites, in one question for all: every page and every assistant begins with it, whoever is a member of however many. */
export const listWorkspaces = accountOperation({
  name: "list_workspaces",
  summary: "List your workspaces, with your role and the websites in each.",
  permission: "account.read",
  input: {},
  async run(call): Promise<readonly ReachableWorkspace[]> {
    const workspaces = await reachableWorkspaces(call);
    const found = await call.services.platform.websites.listOf(workspaces.map(({ id }) => id));
    const websites = Map.groupBy(found, ({ workspaceId }) => workspaceId);
    return workspaces.map((workspace) => ({ ...workspace, websites: websites.get(workspace.id) ?? [] }));
  },
  activity: "none",
});
