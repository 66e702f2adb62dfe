import { fail, notFound } from "#domain/failure";
import { accountOperation } from "../kernel/operation.ts";
import { userIdOf } from "../kernel/user-id-of.ts";
import { sendProofEmail } from "./helpers/change-email-emails.ts";

export const sendEmailProof = accountOperation({
  name: "send_email_proof",
  summary: "Email a link that confirms the address of your account.",
  permission: "account.write",
  input: {},
  async run(call): Promise<{ readonly email: string }> {
    const { accounts, mailer, onTrouble } = call.services;
    const account = await accounts.get(userIdOf(call));
    if (!account) throw notFound("account");
    if (account.emailVerified) throw fail("INVALID_TRANSITION", "Your address is already confirmed.");
    if (!mailer.isConfigured) throw fail("INVALID_TRANSITION", "Email is not set up on this server, so addresses cannot be confirmed.");
    try {
      await sendProofEmail(call, account, account.email);
    } catch (error) {
      onTrouble("An email to confirm an address was not sent", error);
      throw fail("UNAVAILABLE", "The email could not be sent. Try again later.");
    }
    return { email: account.email };
  },
  changes: "nothing",
  activity: () => null,
});
