import { z } from "zod";
import { invalid } from "#domain/failure";
import type { Account } from "#ports/accounts";
import { emailAddress, nameOf } from "../kernel/inputs.ts";
import { accountOperation } from "../kernel/operation.ts";

/**
 * For whoever runs the install, who vouches for the address unless told otherwise; people sign up by letter (`http/dashboard/sign-up.ts`), those
 * who follow an invitation through `http/dashboard/invitations.ts`, and without mail through the auth routes.
 */
export const createAccount = accountOperation({
  name: "create_account",
  summary: "Create an account with a password.",
  permission: "install.operate",
  input: { email: emailAddress, name: nameOf(), password: z.string(), emailVerified: z.boolean().default(true) },
  async run({ services }, input): Promise<Account> {
    const account = await services.accounts.create(input);
    if (!account) throw invalid([{ field: "email", message: "already has an account" }]);
    return account;
  },
  // An account belongs to no workspace, and the log is kept by workspace.
  changes: "nothing",
  activity: () => null,
});
