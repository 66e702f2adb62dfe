import { openMailer } from "#adapters/smtp/mailer";
import type { Config } from "../config.ts";
import { type Finding, good, problem, warning } from "./finding.ts";

const OPEN_WITHOUT_MAIL =
  "Mail: anyone may sign up (STET_SIGNUPS=open), but no mail is sent, so addresses are not checked and the sign-up page tells which have an account. Set SMTP_URL.";

/** Signs in to the mail server and sends nothing. */
export async function checkMail({
  smtpUrl,
  mailFrom,
  signups,
}: Pick<Config, "smtpUrl" | "mailFrom" | "signups">): Promise<readonly Finding[]> {
  if (smtpUrl === null) return signups === "open" ? [warning(OPEN_WITHOUT_MAIL)] : [];
  try {
    await openMailer({ url: smtpUrl, from: mailFrom }).check();
    return [good(`Mail: the server at SMTP_URL takes mail from ${mailFrom}.`)];
  } catch (error) {
    return [problem(`Mail: ${(error as Error).message} Check SMTP_URL.`)];
  }
}
