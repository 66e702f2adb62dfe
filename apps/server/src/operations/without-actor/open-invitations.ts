import type { Role } from "@stet/contract";
import { systemActor, userActor } from "#domain/actor";
import { fail } from "#domain/failure";
import type { UserId } from "#domain/ids";
import { millis, type Timestamp } from "#domain/time";
import type { Invitation, Workspace } from "#domain/website";
import { createAccount } from "../accounts/create-account.ts";
import { execute } from "../kernel/execute.ts";
import type { Services } from "../kernel/services.ts";
import { acceptInvitation, findByToken, type Joined } from "../members/accept-invitation.ts";
import { isEmailedLink } from "../members/helpers/invitation-mail.ts";

/** The offer of an invitation, for the reader of its link. */
interface InvitationOffer {
  readonly workspaceName: string;
  readonly inviterName: string | null;
  readonly email: string;
  readonly role: Role;
  readonly expiresAt: Timestamp;
  readonly hasAccount: boolean;
}

/**
 * Joining without having an account yet. The token is the right to know and to join. It does not prove the address, for the inviter
 * has it too: an account that is made with it alone bears a name that nobody has confirmed (decision 0021).
 */
export interface OpenInvitations {
  offer(token: string): Promise<InvitationOffer>;
  /** Makes the account and joins. `mailed` is of the link in the letter: it proves that the address was reached. */
  signUp(
    token: string,
    given: { readonly name: string; readonly password: string; readonly mailed?: string | undefined },
  ): Promise<{ readonly userId: UserId; readonly joined: Joined }>;
}

export function createOpenInvitations(services: Services): OpenInvitations {
  const { accounts } = services;
  return {
    async offer(token) {
      const { invitation, workspace } = await findOpen(services, token);
      const { email, role, expiresAt, invitedBy } = invitation;
      const [inviter, account] = await Promise.all([accounts.get(invitedBy), accounts.findByEmail(email)]);
      const inviterName = inviter?.name ?? null;
      return { workspaceName: workspace.name, inviterName, email, role, expiresAt, hasAccount: account !== null };
    },
    async signUp(token, { name, password, mailed }) {
      const { email } = (await findOpen(services, token)).invitation;
      if (await accounts.findByEmail(email)) {
        throw fail("INVALID_TRANSITION", `${email} has an account already. Sign in with it, then open the invitation again.`);
      }
      const emailVerified = mailed !== undefined && isEmailedLink(services, token, mailed);
      const { id } = await execute(services, createAccount, systemActor("invitation"), { email, name, password, emailVerified });
      return { userId: id, joined: await execute(services, acceptInvitation, userActor(id), { token }) };
    },
  };
}

async function findOpen(services: Services, token: string): Promise<{ invitation: Invitation; workspace: Workspace }> {
  const invitation = await findByToken(services, token);
  const workspace = invitation && (await services.platform.workspaces.get(invitation.workspaceId));
  if (!invitation || !workspace || invitation.acceptedAt !== null || millis(invitation.expiresAt) <= services.clock().getTime()) {
    throw fail("NOT_FOUND", "This invitation was used, withdrawn or has expired. Ask for a new one.");
  }
  return { invitation, workspace };
}
