import type { Role } from "@stet/contract";
import { PERMISSIONS } from "#domain/access";
import { fail, notFound } from "#domain/failure";
import type { UserId } from "#domain/ids";
import type { Timestamp } from "#domain/time";
import type { Member } from "#domain/website";
import type { Platform } from "#ports/platform";
import type { InWorkspace } from "../../kernel/operation.ts";

export interface MemberView {
  readonly userId: UserId;
  readonly name: string;
  /** Null for those who do not need it: writers and tools need names, not addresses. */
  readonly email: string | null;
  /** False: the maker of the account has not shown that the address is theirs. */
  readonly emailVerified: boolean;
  readonly role: Role;
  readonly joinedAt: Timestamp;
}

export type NamedMember = Member & { name: string; email: string; emailVerified: boolean };

export const memberView = ({ userId, name, email, emailVerified, role, joinedAt }: NamedMember): MemberView => ({
  userId,
  name,
  email,
  emailVerified,
  role,
  joinedAt,
});

/** A person who manages members sees their addresses; everyone sees their own. */
export function seesAddressOf({ actor, role }: InWorkspace, userId: UserId): boolean {
  if (actor.type === "system") return true;
  if (actor.type === "tool") return false;
  return actor.userId === userId || (role !== null && PERMISSIONS["member.manage"][role] === "any");
}

/** A member whose role may be changed or taken away: anyone but the owner. Called under the lock, so that it stays true. */
export async function findOrdinaryMember(platform: Platform, { workspace }: InWorkspace, userId: UserId): Promise<NamedMember> {
  const member = (await platform.members.list(workspace.id)).find((candidate) => candidate.userId === userId);
  if (!member) throw notFound("member");
  if (member.role === "owner") {
    throw fail("INSUFFICIENT_ROLE", "The owner cannot be removed or given another role. Transfer ownership first.", {
      role: member.role,
    });
  }
  return member;
}

/** Invitations stand on the authority of their sender: without it they would be a way back in. */
export async function withdrawInvitationsOf(platform: Platform, { workspace, now }: InWorkspace, userId: UserId): Promise<void> {
  for (const invitation of await platform.invitations.listOpen(workspace.id, now)) {
    if (invitation.invitedBy === userId) await platform.invitations.delete(workspace.id, invitation.id);
  }
}
