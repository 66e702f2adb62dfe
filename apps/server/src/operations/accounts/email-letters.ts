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

You asked to use this address for your Stet account at ${settings.publicUrl}.
Sign in to that account and confirm it here within an hour:

${settings.publicUrl}/account/confirm-email?${query.toString()}

If you did not ask for this, ignore this letter: nothing changes without your click.
`,
  });
}

/** While the change can still be stopped. */
export const noticeToOldAddress = ({ services: { mailer, settings } }: Call, account: Account, email: string): Promise<void> =>
  mailer.send({
    to: account.email,
    subject: "A new address for your account",
    text: `Hello ${account.name},

Somebody who is signed in to your Stet account at ${settings.publicUrl} asked to change its address to ${email}.
It changes once that address is confirmed, within the next hour. From then on you sign in with the new address, and letters go there.

If it was you, there is nothing more to do here. If it was not, choose a new password now: that stops the change and signs out everyone else.

${settings.publicUrl}/account/security
`,
  });

/** Somebody wants an address that has an account: its owner learns of it, and nobody else. */
export const noticeToOtherOwner = ({ services: { mailer, settings } }: Call, email: string): Promise<void> =>
  mailer.send({
    to: email,
    subject: "Your address was named for another account",
    text: `Hello,

Somebody asked to use this address for their Stet account at ${settings.publicUrl}. The address has an account there already, so nothing has changed.

If it was you, change the address of that account first, or sign in to it instead. If it was not, ignore this letter.
`,
  });
