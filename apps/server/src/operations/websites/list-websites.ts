import type { Website } from "#domain/website";
import { workspaceOperation } from "../kernel/operation.ts";

export const listWebsites = workspaceOperation({
  name: "list_websites",
  summary: "List the websites of a workspace.",
  permission: "workspace.read",
  input: {},
  run: ({ services, workspace }): Promise<readonly Website[]> => services.platform.websites.list(workspace.id),
  activity: "none",
});
