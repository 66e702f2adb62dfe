import { systemActor } from "#domain/actor";
import { fail } from "#domain/failure";
import type { UserId } from "#domain/ids";
import { execute } from "../kernel/execute.ts";
import type { Services } from "../kernel/services.ts";
import { createAccount } from "../accounts/create-account.ts";
import { accountExistsEmail, signUpEmail } from "./sign-up-emails.ts";

/** How a stranger gets an account by letter. There is nobody yet who could run an operation. */
export interface SignUp {
  /**
   * Writes to the address. Whether it has an account is told to whoever reads its letters, so both cases take as long: a token is
   * made for either, and nobody waits for the letter.
   */
  ask(email: string): Promise<void>;
  finish(given: { readonly email: string; readonly token: string; readonly name: string; readonly password: string }): Promise<UserId>;
}

export function createSignUp(services: Services): SignUp {
  const { accounts, mailer, onTrouble } = services;
  return {
    async ask(email) {
      const [account, token] = [await accounts.findByEmail(email), await accounts.startSignUp(email)];
      const mail = account ? accountExistsEmail(services, account) : signUpEmail(services, email, token);
      mailer.send(mail).catch((error: unknown) => onTrouble("An email to somebody who signs up was not sent", error));
    },
    async finish({ email, token, name, password }) {
      if (!(await accounts.finishSignUp(email, token))) {
        throw fail("NOT_FOUND", "This link was used, has expired or is incomplete. Sign up again to get a new one.");
      }
      return (await execute(services, createAccount, systemActor("sign-up"), { email, name, password, emailVerified: true })).id;
    },
  };
}
