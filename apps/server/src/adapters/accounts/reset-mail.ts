import type { Mail } from "#ports/mailer";

/** Where a person chooses a new password. The token is in the query, which is never logged. */
export const resetLink = (baseUrl: string, token: string): string => `${baseUrl}/reset-password?token=${encodeURIComponent(token)}`;

export const resetMail = (baseUrl: string, person: { name: string; email: string }, token: string): Mail => ({
  to: person.email,
  subject: "Reset your password",
  text: `Hello ${person.name},

Someone, hopefully you, asked to reset the password of your Stet account at ${baseUrl}.
Choose a new password here. The link works once and expires in an hour:

${resetLink(baseUrl, token)}

If this was not you, ignore this email. Your password stays the same.
`,
});
