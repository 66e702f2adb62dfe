import { randomBytes } from "node:crypto";
import { makeResetLink } from "#adapters/accounts/sessions";
import type { Command } from "../command.ts";
import { readArguments, stopIfWrong } from "./options.ts";
import { say, withInstallation } from "./with-installation.ts";

const USAGE = "user reset-link EMAIL";

/** `stet user reset-link`: what the letter would hold, for the operator to pass on. */
export const userResetLink: Command = async (args) => {
  const { places, problems } = readArguments(args, { places: 1 });
  const [email = ""] = places;
  if (!email.includes("@")) problems.push(`EMAIL must be the address of an account; got "${email}".`);
  stopIfWrong(problems, USAGE);
  const { link, emailVerified } = await withInstallation(async ({ services, auth, config }) => {
    const account = await services.accounts.findByEmail(email);
    if (!account) throw new Error(`No account has the address ${email}.`);
    const made = await makeResetLink(auth, config.publicUrl, account.id, randomBytes(24).toString("base64url"));
    return { link: made, emailVerified: account.emailVerified };
  });
  say("Works once, within an hour. Whoever has it can choose the password, and every session of the account ends.");
  if (!emailVerified) say("Nobody has confirmed this address yet, so its passkeys and connected tools end with it.");
  process.stdout.write(`${link}\n`);
  return 0;
};
