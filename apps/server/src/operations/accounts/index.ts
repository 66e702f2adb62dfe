import { createAccount } from "./create-account.ts";
import { getAccount } from "./get-account.ts";

export const operations = { create_account: createAccount, get_account: getAccount } as const;
