import type { Account } from "#ports/accounts";
import type { Call } from "../../kernel/operation.ts";

/** Asks the reader of the address whether it is theirs. */
export async function sendProofEmail({ services }: Call, account: Account, email: string): Promise<void> {
  const { accounts, mailer, settings } = services;
  const token = await accounts.startEmailProof(account.id, email);
  const query = new URLSearchParams({ email, token });
  await mailer.send({
    to: email,
    subject: "Confirm your email address",
    text: `Hello ${account.name},

You asked to use this address for your Stet account at ${settings.publicUrl}.
Sign in to that account and confirm the address here. The link expires in an hour:

${settings.publicUrl}/account/confirm-email?${query.toString()}

If you did not ask for this, ignore this email. Nothing changes unless you confirm.
`,
  });
}

/** While the change can still be stopped. */
export const emailOldAddress = ({ services: { mailer, settings } }: Call, account: Account, email: string): Promise<void> =>
  mailer.send({
    to: account.email,
    subject: "Your email address is about to change",
    text: `Hello ${account.name},

Someone who is signed in to your Stet account at ${settings.publicUrl} asked to change its email address to ${email}.
It changes when the new address is confirmed, within the next hour. From then on you sign in with it, and emails go there.

If this was you, there is nothing to do. If not, change your password now: that stops the change and signs out everyone else.

${settings.publicUrl}/account/security
`,
  });

/** Somebody wants an address that has an account: its owner learns of it, and nobody else. */
export const emailOwnerOfAddress = ({ services: { mailer, settings } }: Call, email: string): Promise<void> =>
  mailer.send({
    to: email,
    subject: "Someone tried to use your email address",
    text: `Hello,

Someone asked to use this address for their Stet account at ${settings.publicUrl}. It already has an account there, so nothing changed.

If this was you, change the address of that account first, or sign in to it instead. If not, ignore this email.
`,
  });
