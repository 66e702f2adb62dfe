import { z } from "zod";
import { systemActor, userActor } from "#domain/actor";
import { fail } from "#domain/failure";
import { millis } from "#domain/time";
import type { Invitation, Workspace } from "#domain/website";
import { createAccount } from "#operations/accounts/create-account";
import { execute } from "#operations/kernel/execute";
import { nameOf } from "#operations/kernel/inputs";
import type { Services } from "#operations/kernel/services";
import { acceptInvitation, findByToken } from "#operations/members/accept-invitation";
import { cameByMail } from "#operations/members/invitation-mail";
import type { ClientAddress } from "../client-address.ts";
import type { ApiRoute } from "./api.ts";
import type { Attempts } from "./attempts.ts";
import { parseInput, readJson, sendData } from "./json.ts";
import { deviceOf, type Sessions } from "./sessions.ts";

const input = z.strictObject({
  name: nameOf(),
  password: z.string(),
  /** Of the link in the letter: proves that the address was reached. */
  mailed: z.string().max(200).optional(),
});

/**
 * `/api/invitations/{token}`: what an invitation offers, and joining without having an account yet. Whoever has one signs in
 * and accepts as an operation. The token is the right to know and to join. It does not prove the address, for the inviter has it
 * too: an account that is made with it alone bears a name that nobody has confirmed (decision 0021).
 */
export function invitationRoutes(options: {
  services: Services;
  sessions: Sessions;
  attempts: Attempts;
  clientAddress: ClientAddress;
}): readonly ApiRoute[] {
  const { services, sessions, attempts, clientAddress } = options;
  return [
    {
      method: "GET",
      path: "/invitations/{token}",
      async handle({ request, response, params }) {
        attempts.begin(clientAddress(request), null);
        const { invitation, workspace } = await findOpen(services, params.token ?? "");
        const { email, role, expiresAt, invitedBy } = invitation;
        const [inviter, account] = await Promise.all([services.accounts.get(invitedBy), services.accounts.findByEmail(email)]);
        const inviterName = inviter?.name ?? null;
        sendData(response, { workspaceName: workspace.name, inviterName, email, role, expiresAt, hasAccount: account !== null });
      },
    },
    {
      method: "POST",
      path: "/invitations/{token}/sign-up",
      async handle(call) {
        attempts.begin(clientAddress(call.request), null);
        const token = call.params.token ?? "";
        const { name, password, mailed } = parseInput(input, await readJson(call, 64 * 1024));
        const { email } = (await findOpen(services, token)).invitation;
        if (await services.accounts.findByEmail(email)) {
          throw fail("INVALID_TRANSITION", `${email} has an account already. Sign in with it, then open the invitation again.`);
        }
        const emailVerified = mailed !== undefined && cameByMail(services, token, mailed);
        const { id } = await execute(services, createAccount, systemActor("invitation"), { email, name, password, emailVerified });
        const joined = await execute(services, acceptInvitation, userActor(id), { token });
        call.response.setHeader("Set-Cookie", await sessions.start(id, deviceOf(call.request, clientAddress)));
        sendData(call.response, joined);
      },
    },
  ];
}

async function findOpen(services: Services, token: string): Promise<{ invitation: Invitation; workspace: Workspace }> {
  const invitation = await findByToken(services, token);
  const workspace = invitation && (await services.platform.workspaces.get(invitation.workspaceId));
  if (!invitation || !workspace || invitation.acceptedAt !== null || millis(invitation.expiresAt) <= services.clock().getTime()) {
    throw fail("NOT_FOUND", "This invitation was used or withdrawn, or has expired. Ask whoever invited you for a new one.");
  }
  return { invitation, workspace };
}
