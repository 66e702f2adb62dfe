import { fail, notFound } from "#domain/failure";
import { accountOperation } from "../kernel/operation.ts";
import { personOf } from "../kernel/person.ts";
import { mailProof } from "./email-letters.ts";

export const sendEmailProof = accountOperation({
  name: "send_email_proof",
  summary: "Send a letter with which the address of one's account is confirmed.",
  permission: "account.write",
  input: {},
  async run(call): Promise<{ readonly email: string }> {
    const { accounts, mailer, onTrouble } = call.services;
    const account = await accounts.get(personOf(call));
    if (!account) throw notFound("account");
    if (account.emailVerified) throw fail("INVALID_TRANSITION", "Your address is confirmed already.");
    if (!mailer.isConfigured) throw fail("INVALID_TRANSITION", "This install sends no mail, so addresses are not confirmed here.");
    try {
      await mailProof(call, account, account.email);
    } catch (error) {
      onTrouble("A letter to confirm an address was not sent", error);
      throw fail("UNAVAILABLE", "The letter could not be sent. Try again later.");
    }
    return { email: account.email };
  },
  changes: "nothing",
  activity: () => null,
});
