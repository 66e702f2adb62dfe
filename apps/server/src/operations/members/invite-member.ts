import { randomBytes } from "node:crypto";
import { fail } from "#domain/failure";
import { newId } from "#domain/ids";
import { millis, timestamp } from "#domain/time";
import type { Invitation } from "#domain/website";
import { emailAddress } from "../kernel/inputs.ts";
import { workspaceOperation } from "../kernel/operation.ts";
import { userIdOf } from "../kernel/user-id-of.ts";
import { mailInvitation } from "./helpers/invitation-mail.ts";
import { INVITATION_MILLIS, ordinaryRole } from "./helpers/invitation-input.ts";

const TOKEN_BYTES = 32;

export interface NewInvitation {
  readonly invitation: Invitation;
  /** Shown this once: only its keyed hash is stored. */
  readonly link: string;
  /** Whether it was mailed. "failed" and "off" (no mail server): pass the link on yourself. */
  readonly mail: "sent" | "failed" | "off";
}

export const inviteMember = workspaceOperation({
  name: "invite_member",
  summary: "Invite someone by email address. Emails the link where email is set up, and returns it once.",
  permission: "member.manage",
  input: { email: emailAddress, role: ordinaryRole },
  async run(context, { email, role }): Promise<NewInvitation> {
    const { services, workspace, now } = context;
    const token = randomBytes(TOKEN_BYTES).toString("base64url");
    const invitation: Invitation = {
      id: newId("invitation", millis(now)),
      workspaceId: workspace.id,
      email,
      role,
      invitedBy: userIdOf(context),
      createdAt: now,
      expiresAt: timestamp(millis(now) + INVITATION_MILLIS),
      acceptedAt: null,
    };
    await services.platform.locked(workspace.id, async (platform) => {
      const members = await platform.members.list(workspace.id);
      if (members.some((member) => member.email === email)) {
        throw fail("INVALID_TRANSITION", "This person is already a member. Change their role instead.", { email });
      }
      // One open invitation an address: the newer one says what is meant, and the older link stops working.
      for (const open of await platform.invitations.listOpen(workspace.id, now)) {
        if (open.email === email) await platform.invitations.delete(workspace.id, open.id);
      }
      const { hash, secretId } = services.keyring.mac("invitation", token);
      await platform.invitations.create(invitation, hash, secretId);
    });
    const link = `${services.settings.publicUrl}/invitations/${token}`;
    return { invitation, link, mail: await mailInvitation(context, invitation, { link, token }) };
  },
  changes: "nothing",
  activity: (_, __, { invitation }) => ({
    target: { id: invitation.id, label: invitation.email },
    details: { role: invitation.role, expiresAt: invitation.expiresAt },
  }),
});
