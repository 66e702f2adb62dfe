import type { Mail } from "#ports/mailer";

/** Where a person chooses a new password. The token is in the query, which is never logged. */
export const resetLink = (baseUrl: string, token: string): string => `${baseUrl}/reset-password?token=${encodeURIComponent(token)}`;

export const resetMail = (baseUrl: string, person: { name: string; email: string }, token: string): Mail => ({
  to: person.email,
  subject: "Reset your password",
  text: `Hello ${person.name},

Somebody, hopefully you, asked for a new password for your Stet account at ${baseUrl}.
Choose it here within an hour:

${resetLink(baseUrl, token)}

If it was not you, ignore this letter: your old password stays as it is.
`,
});
