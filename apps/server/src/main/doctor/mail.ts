import { openMailer } from "#adapters/smtp/mailer";
import type { Config } from "../config.ts";
import { type Finding, good, problem } from "./finding.ts";

/** Signs in to the mail server and sends nothing. */
export async function checkMail({ smtpUrl, mailFrom }: Pick<Config, "smtpUrl" | "mailFrom">): Promise<readonly Finding[]> {
  if (smtpUrl === null) return [];
  try {
    await openMailer({ url: smtpUrl, from: mailFrom }).check();
    return [good(`Mail: the server at SMTP_URL takes mail from ${mailFrom}.`)];
  } catch (error) {
    return [problem(`Mail: ${(error as Error).message} Check SMTP_URL.`)];
  }
}
