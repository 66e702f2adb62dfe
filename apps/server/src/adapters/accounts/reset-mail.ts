import type { Mail } from "#ports/mailer";

/** Where a person chooses a new password. The token is in the query, which is never logged. */
export const resetLink = (baseUrl: string, token: string): string => `${baseUrl}/reset-password?token=${encodeURIComponent(token)}`;

export const resetMail = (baseUrl: string, person: { name: string; email: string }, token: string): Mail => ({
  to: person.email,
  subject: "Choose a new password",
  text: `Hello ${person.name},

somebody, hopefully you, asked for a new password for your account at ${baseUrl}.
Choose it here within an hour:

${resetLink(baseUrl, token)}

If it was not you, there is nothing to do: the old password stays.
`,
});
