import type { Account } from "#ports/accounts";
import type { Mail } from "#ports/mailer";
import type { Services } from "../kernel/services.ts";

type WithSettings = Pick<Services, "settings">;

/** To an address that has no account yet. It quotes nothing that the one who asked has written: that may be somebody else. */
export function signUpEmail({ settings: { publicUrl } }: WithSettings, email: string, token: string): Mail {
  const query = new URLSearchParams({ email, token });
  return {
    to: email,
    subject: "Finish creating your account",
    text: `Hello,

Someone, hopefully you, asked to create a Stet account at ${publicUrl} with this address.
Choose a name and a password here within an hour:

${publicUrl}/finish-sign-up?${query.toString()}

If it was not you, ignore this email: no account is created unless you finish signing up.
`,
  };
}

/** To an address that has one: its holder hears of the attempt, and nobody else learns of the account. */
export const accountExistsEmail = ({ settings: { publicUrl } }: WithSettings, { name, email }: Account): Mail => ({
  to: email,
  subject: "You already have an account",
  text: `Hello ${name},

Someone tried to sign up at ${publicUrl} with your address. You already have an account there, and nothing has changed.

If it was you, sign in:

${publicUrl}/sign-in

Forgot your password? Reset it here:

${publicUrl}/forgot-password

If it was not you, ignore this email.
`,
});
