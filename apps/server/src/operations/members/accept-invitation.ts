import type { Role } from "@stet/contract";
import { z } from "zod";
import { normaliseEmail } from "#domain/email";
import { fail } from "#domain/failure";
import type { WorkspaceId } from "#domain/ids";
import { millis } from "#domain/time";
import type { Invitation } from "#domain/website";
import type { Services } from "../kernel/services.ts";
import { accountOperation, type Call } from "../kernel/operation.ts";
import { userIdOf } from "../kernel/user-id-of.ts";

export interface Joined {
  readonly workspaceId: WorkspaceId;
  readonly workspaceName: string;
  readonly role: Role;
}

export const acceptInvitation = accountOperation({
  name: "accept_invitation",
  summary: "Join a workspace with the token of an invitation link.",
  permission: "account.write",
  input: { token: z.string().regex(/^[\w-]{43}$/, "must be the complete last part of the invitation link") },
  async run(call, { token }): Promise<Joined> {
    const { services, now } = call;
    const userId = userIdOf(call);
    const invitation = await findForPerson(call, token);
    return services.platform.locked(invitation.workspaceId, async (platform) => {
      const { workspaceId, id } = invitation;
      // Read again under the lock: it may have been withdrawn or accepted since.
      const current = await platform.invitations.get(workspaceId, id);
      const workspace = await platform.workspaces.get(workspaceId);
      if (!current || !workspace) throw noInvitation();
      if (millis(current.expiresAt) <= millis(now)) {
        throw fail("INVALID_TRANSITION", `The invitation expired at ${current.expiresAt}. Ask the person who invited you for a new one.`, {
          expiresAt: current.expiresAt,
        });
      }
      if (!(await platform.invitations.markAccepted(workspaceId, id, now))) {
        throw fail("INVALID_TRANSITION", "The invitation was already accepted. Open the workspace from the dashboard.");
      }
      if (await platform.members.role(workspaceId, userId)) {
        throw fail("INVALID_TRANSITION", "You are already a member of this workspace. Open it from the dashboard.");
      }
      await platform.members.add({ workspaceId, userId, role: current.role, joinedAt: now });
      return { workspaceId, workspaceName: workspace.name, role: current.role };
    });
  },
  changes: "nothing",
  activity: (_, __, joined) => ({
    workspaceId: joined.workspaceId,
    target: { id: joined.workspaceId, label: joined.workspaceName },
    details: { role: joined.role },
  }),
});

/** An invitation is for one person: to everyone else the link leads nowhere, whatever became of it. */
async function findForPerson(call: Call, token: string): Promise<Invitation> {
  const [invitation, account] = await Promise.all([findByToken(call.services, token), call.services.accounts.get(userIdOf(call))]);
  if (!invitation || !account || normaliseEmail(account.email) !== invitation.email) throw noInvitation();
  return invitation;
}

/** The invitation in any state; the caller checks whether it is still open. */
export async function findByToken({ keyring, platform }: Services, token: string): Promise<Invitation | null> {
  for (const { hash } of keyring.macs("invitation", token)) {
    const invitation = await platform.invitations.findByTokenHash(hash);
    if (invitation) return invitation;
  }
  return null;
}

const noInvitation = () =>
  fail(
    "NOT_FOUND",
    "This link is not an invitation for your account. It may have been withdrawn or replaced, or sent to another email address. Sign in with that address.",
  );
