import { fail, invalid } from "#domain/failure";
import type { UserId } from "#domain/ids";
import { idOf, workspaceOperation } from "../kernel/operation.ts";

export interface Transfer {
  readonly ownerId: UserId;
  readonly ownerName: string;
  readonly previousOwnerId: UserId;
}

/** A workspace has exactly one owner before, during and after: both roles change in one transaction. */
export const transferOwnership = workspaceOperation({
  name: "transfer_ownership",
  summary: "Make another member the owner; the current owner becomes an admin.",
  permission: "workspace.transfer",
  input: { userId: idOf<UserId>("user") },
  run: ({ services, workspace }, { userId }): Promise<Transfer> =>
    services.platform.locked(workspace.id, async (platform) => {
      const members = await platform.members.list(workspace.id);
      const owner = members.find((member) => member.role === "owner")!;
      const next = members.find((member) => member.userId === userId);
      if (!next) throw fail("NOT_FOUND", "There is no such member in this workspace. Invite the person first.", { userId });
      if (next.userId === owner.userId) throw invalid([{ field: "userId", message: "is the owner already" }]);
      await platform.members.setRole(workspace.id, owner.userId, "admin");
      await platform.members.setRole(workspace.id, next.userId, "owner");
      return { ownerId: next.userId, ownerName: next.name, previousOwnerId: owner.userId };
    }),
  changes: "nothing",
  activity: (_, __, transfer) => ({
    target: { id: transfer.ownerId, label: transfer.ownerName },
    details: { previousOwnerId: transfer.previousOwnerId },
  }),
});
