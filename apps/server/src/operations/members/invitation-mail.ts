import type { Invitation } from "#domain/website";
import type { InWorkspace } from "../kernel/operation.ts";
import type { NewInvitation } from "./invite-member.ts";

/** Sent right away: the inviter learns at once whether the link has to be passed on by hand. */
export async function mailInvitation(
  { services, workspace }: InWorkspace,
  { email, role, invitedBy, expiresAt }: Invitation,
  link: string,
): Promise<NewInvitation["mail"]> {
  if (!services.mailer.isConfigured) return "off";
  const inviter = (await services.accounts.get(invitedBy))?.name ?? "Somebody";
  try {
    await services.mailer.send({
      to: email,
      subject: `${oneLine(inviter)} invites you to ${oneLine(workspace.name)}`,
      text: `${inviter} invites you to the workspace "${workspace.name}" as ${role}.

Follow this link to join, until ${expiresAt.slice(0, 10)}:

${link}

If you did not expect it, there is nothing to do.
`,
    });
    return "sent";
  } catch (error) {
    services.onTrouble("An invitation was not mailed; its link was shown to the inviter", error);
    return "failed";
  }
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").slice(0, 120);
