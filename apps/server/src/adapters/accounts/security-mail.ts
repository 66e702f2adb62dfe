import type { Mail } from "#ports/mailer";

/** What changes how one gets in: mostly by the address of the library that does it. */
const CHANGES: Readonly<Record<string, string>> = {
  "/change-password": "Its password was changed.",
  "password by link": "Its password was replaced through a link.",
  "/passkey/verify-registration": "A passkey was added: whoever holds it can sign in.",
  "two-factor turned on": "Two-factor sign-in was turned on: from now on it takes a code from an app.",
  "/two-factor/disable": "Two-factor sign-in was turned off.",
};

/** Null: nothing that the owner has to hear of. */
export function securityMail(baseUrl: string, person: { name: string; email: string }, change: string): Mail | null {
  const words = CHANGES[change];
  if (words === undefined) return null;
  return {
    to: person.email,
    subject: "Your account was changed",
    text: `Hello ${person.name},

This is about your Stet account at ${baseUrl}. ${words}

If it was you, there is nothing more to do. If it was not, choose a new password now:

${baseUrl}/forgot-password

Then look through your passkeys, sessions and connected apps, and remove what you do not know:

${baseUrl}/account/security
`,
  };
}
