import type { Role } from "@stet/contract";
import type { Workspace } from "#domain/website";
import { accountOperation } from "../kernel/operation.ts";
import { reachableWorkspaces } from "./reachable.ts";

export const listWorkspaces = accountOperation({
  name: "list_workspaces",
  summary: "List the workspaces one is a member of, with one's role in each.",
  permission: "account.read",
  input: {},
  run: (call): Promise<readonly (Workspace & { role: Role })[]> => reachableWorkspaces(call),
  activity: "none",
});
