import type { PlanName, Role } from "@stet/contract";
import { notFound } from "#domain/failure";
import type { WorkspaceId } from "#domain/ids";
import type { Account } from "#ports/accounts";
import { accountOperation } from "../kernel/operation.ts";
import { userIdOf } from "../kernel/user-id-of.ts";
import { reachableWorkspaces } from "../workspaces/helpers/reachable-workspaces.ts";

export interface AccountView extends Account {
  readonly workspaces: readonly { id: WorkspaceId; name: string; plan: PlanName; role: Role }[];
}

export const getAccount = accountOperation({
  name: "get_account",
  summary: "Show who is signed in, with their workspaces and roles.",
  permission: "account.read",
  input: {},
  async run(call): Promise<AccountView> {
    const [account, workspaces] = await Promise.all([call.services.accounts.get(userIdOf(call)), reachableWorkspaces(call)]);
    if (!account) throw notFound("account");
    return { ...account, workspaces: workspaces.map(({ id, name, plan, role }) => ({ id, name, plan, role })) };
  },
  activity: "none",
});
