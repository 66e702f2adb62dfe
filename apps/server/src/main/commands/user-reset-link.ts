import { randomBytes } from "node:crypto";
import { turnOffSecondFactor } from "#adapters/accounts/second-factor";
import { makeResetLink } from "#adapters/accounts/sessions";
import type { Command } from "../command.ts";
import { readArguments, stopIfWrong } from "./options.ts";
import { say, withInstallation } from "./with-installation.ts";

const USAGE = "user reset-link EMAIL [--without-second-factor]";
const WITHOUT_SECOND_FACTOR = "without-second-factor";

/**
 * `stet user reset-link`: what the letter would hold, for the operator to pass on. A letter never gets around the second factor;
 * somebody who lost the phone and the backup codes needs the operator, who knows in some other way that it is them.
 */
export const userResetLink: Command = async (args) => {
  const { positionals, flags, problems } = readArguments(args, { positionals: 1, flags: [WITHOUT_SECOND_FACTOR] });
  const [email = ""] = positionals;
  if (!email.includes("@")) problems.push(`EMAIL must be the address of an account; got "${email}".`);
  stopIfWrong(problems, USAGE);
  const { link, emailVerified } = await withInstallation(async ({ services, auth, config }) => {
    const account = await services.accounts.findByEmail(email);
    if (!account) throw new Error(`No account has the address ${email}.`);
    if (flags.has(WITHOUT_SECOND_FACTOR)) await turnOffSecondFactor(auth, account.id);
    const made = await makeResetLink(auth, config.publicUrl, account.id, randomBytes(24).toString("base64url"));
    return { link: made, emailVerified: account.emailVerified };
  });
  say("Works once and expires in an hour. Anyone with the link can set the password; all sessions of the account end.");
  if (!emailVerified) say("This address is not confirmed yet, so its passkeys and connected apps are removed too.");
  if (flags.has(WITHOUT_SECOND_FACTOR)) say("Two-factor sign-in is now off for this account. They can turn it on again.");
  process.stdout.write(`${link}\n`);
  return 0;
};
