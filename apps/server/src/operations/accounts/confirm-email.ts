import { z } from "zod";
import { fail } from "#domain/failure";
import { emailAddress } from "../kernel/inputs.ts";
import { accountOperation } from "../kernel/operation.ts";
import { userIdOf } from "../kernel/user-id-of.ts";

/**
 * The end of a letter's way. It asks for the session too: somebody who finds a letter about an account that a stranger made in
 * their name must not prove the address for the stranger by following a link.
 */
export const confirmEmail = accountOperation({
  name: "confirm_email",
  summary: "Confirm the email address of your account with the token sent to it.",
  permission: "account.write",
  input: { email: emailAddress, token: z.string().regex(/^[\w-]{43}$/, "must be the complete token of the link") },
  async run(call, { email, token }): Promise<{ readonly email: string }> {
    const result = await call.services.accounts.finishEmailProof(userIdOf(call), email, token);
    if (result === "taken") {
      throw fail("INVALID_TRANSITION", "Another account now has this address, so yours has not changed.");
    }
    if (result === "unknown") {
      throw fail(
        "NOT_FOUND",
        "This link was used, has expired or is for another account. Sign in with that account, or request a new link.",
      );
    }
    return { email };
  },
  changes: "nothing",
  activity: () => null,
});
