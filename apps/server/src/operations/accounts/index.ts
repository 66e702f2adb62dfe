import { changeEmail } from "./change-email.ts";
import { confirmEmail } from "./confirm-email.ts";
import { createAccount } from "./create-account.ts";
import { getAccount } from "./get-account.ts";
import { sendEmailProof } from "./send-email-proof.ts";

export const operations = {
  create_account: createAccount,
  get_account: getAccount,
  change_email: changeEmail,
  confirm_email: confirmEmail,
  send_email_proof: sendEmailProof,
} as const;
