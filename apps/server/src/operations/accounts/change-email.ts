import { z } from "zod";
import { fail, invalid, notFound } from "#domain/failure";
import { emailAddress } from "../kernel/inputs.ts";
import { accountOperation } from "../kernel/operation.ts";
import { userIdOf } from "../kernel/user-id-of.ts";
import { sendProofEmail, emailOldAddress, emailOwnerOfAddress } from "./helpers/change-email-emails.ts";

export interface ChangedEmail {
  readonly email: string;
  /** "mailed": it changes when the letter to the new address is answered. "changed": this install sends no letters. */
  readonly outcome: "changed" | "mailed";
}

/**
 * The address is how a person signs in and gets a new password, so an open window is not enough to change it. With mail, the
 * new one has to be read first, and the old one is told while there is still time to stop it.
 */
export const changeEmail = accountOperation({
  name: "change_email",
  summary: "Change the email address of your account, with the password; where email is set up, by a link sent to the new one.",
  permission: "account.write",
  input: { email: emailAddress, password: z.string().max(500) },
  async run(call, { email, password }): Promise<ChangedEmail> {
    const { accounts, mailer, onTrouble } = call.services;
    const account = await accounts.get(userIdOf(call));
    if (!account) throw notFound("account");
    if (!(await accounts.verifyPassword(account.id, password))) {
      throw invalid([{ field: "password", message: "is not your password" }]);
    }
    if (account.email === email) throw invalid([{ field: "email", message: "is your address already" }]);
    if (!mailer.isConfigured) {
      if (!(await accounts.takeEmail(account.id, email))) throw invalid([{ field: "email", message: "already has an account" }]);
      return { email, outcome: "changed" };
    }
    try {
      // Whether the address has an account is told to its owner only.
      if (await accounts.findByEmail(email)) await emailOwnerOfAddress(call, email);
      else await sendProofEmail(call, account, email);
    } catch (error) {
      onTrouble("An email to confirm an address was not sent", error);
      throw fail("UNAVAILABLE", "The email could not be sent, so nothing has changed. Try again later.");
    }
    await emailOldAddress(call, account, email).catch((error: unknown) => onTrouble("A notice of a new address was not sent", error));
    return { email, outcome: "mailed" };
  },
  // An account belongs to no workspace, and the log is kept by workspace.
  changes: "nothing",
  activity: () => null,
});
