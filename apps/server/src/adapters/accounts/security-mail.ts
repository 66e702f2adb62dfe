import type { Mail } from "#ports/mailer";

/** The changes to how a person signs in: mostly by the path of the library that makes them. */
const CHANGES: Readonly<Record<string, string>> = {
  "/change-password": "Your password was changed.",
  "password by link": "Your password was reset with a link.",
  "/passkey/verify-registration": "A passkey was added. Anyone who has it can sign in.",
  "two-factor turned on": "Two-factor sign-in was turned on. Signing in now needs a code from an app.",
  "/two-factor/disable": "Two-factor sign-in was turned off.",
};

/** Null: nothing that the owner has to hear of. */
export function securityMail(baseUrl: string, person: { name: string; email: string }, change: string): Mail | null {
  const words = CHANGES[change];
  if (words === undefined) return null;
  return {
    to: person.email,
    subject: "Your sign-in settings changed",
    text: `Hello ${person.name},

This is about your Stet account at ${baseUrl}. ${words}

If this was you, there is nothing to do. If not, reset your password now:

${baseUrl}/forgot-password

Then check your passkeys, sessions and connected apps, and remove any you do not recognise:

${baseUrl}/account/security
`,
  };
}
