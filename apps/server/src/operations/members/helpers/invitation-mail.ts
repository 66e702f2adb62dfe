import { isSameSecret } from "#domain/same-secret";
import type { Invitation } from "#domain/website";
import type { InWorkspace } from "../../kernel/operation.ts";
import type { Services } from "../../kernel/services.ts";
import type { NewInvitation } from "../invite-member.ts";

/** Sent right away: the inviter learns at once whether the link has to be passed on by hand. */
export async function mailInvitation(
  { services, workspace }: InWorkspace,
  { email, role, invitedBy, expiresAt }: Invitation,
  { link, token }: { link: string; token: string },
): Promise<NewInvitation["mail"]> {
  if (!services.mailer.isConfigured) return "off";
  const inviter = (await services.accounts.get(invitedBy))?.name ?? "Someone";
  try {
    await services.mailer.send({
      to: email,
      subject: `${oneLine(inviter)} invites you to ${oneLine(workspace.name)}`,
      text: `${inviter} invites you to write for "${workspace.name}" on Stet, as ${/^[aeiou]/.test(role) ? "an" : "a"} ${role}.

Accept the invitation by ${day(expiresAt)}:

${link}?mailed=${services.keyring.mac("invitation-mail", token).hash}

If you did not expect this, ignore this email.
`,
    });
    return "sent";
  } catch (error) {
    services.onTrouble("An invitation was not mailed; its link was shown to the inviter", error);
    return "failed";
  }
}

/**
 * Whether the link was opened from the email. The link is shown to the inviter too, who may pass it on, or open it themselves and sign
 * up in the other's name; this part of it is in the email only, so it proves the address.
 */
export const isEmailedLink = ({ keyring }: Pick<Services, "keyring">, token: string, mailed: string): boolean =>
  keyring.macs("invitation-mail", token).some(({ hash }) => isSameSecret(hash, mailed));

/** "22 November 2026", by the clock that ends it. */
const day = (at: string): string =>
  new Date(at).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").slice(0, 120);
