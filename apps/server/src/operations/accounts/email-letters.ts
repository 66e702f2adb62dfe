import type { Account } from "#ports/accounts";
import type { Call } from "../kernel/operation.ts";

/** Asks whoever reads the address whether it is theirs. */
export async function mailProof({ services }: Call, account: Account, email: string): Promise<void> {
  const { accounts, mailer, settings } = services;
  const token = await accounts.startEmailProof(account.id, email);
  const query = new URLSearchParams({ email, token });
  await mailer.send({
    to: email,
    subject: "Confirm your address",
    text: `Hello ${account.name},

this address is to belong to your account at ${settings.publicUrl}.
Confirm it here within an hour, signed in to the account:

${settings.publicUrl}/account/confirm-email?${query.toString()}

If you know nothing of it, there is nothing to do: without you it does not happen.
`,
  });
}

/** While the change can still be stopped. */
export const noticeToOldAddress = ({ services: { mailer, settings } }: Call, account: Account, email: string): Promise<void> =>
  mailer.send({
    to: account.email,
    subject: "A new address for your account",
    text: `Hello ${account.name},

somebody, hopefully you, signed in to your account at ${settings.publicUrl} and asked to change its address to ${email}.
It changes when that address is confirmed, within an hour. From then on letters go there, and this address no longer signs in.

If it was not you, choose a new password at once: that stops it, and ends all other sessions.

${settings.publicUrl}/account/security
`,
  });

/** Somebody wants an address that has an account: its owner learns of it, and nobody else. */
export const noticeToOtherOwner = ({ services: { mailer, settings } }: Call, email: string): Promise<void> =>
  mailer.send({
    to: email,
    subject: "Your address was named for another account",
    text: `Hello,

somebody asked to use this address for their account at ${settings.publicUrl}. It has an account there already, so nothing has changed.

If it was you: change or give up the other account first. If not, there is nothing to do.
`,
  });
