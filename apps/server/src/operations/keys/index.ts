import { createKey } from "./create-key.ts";
import { listKeys } from "./list-keys.ts";
import { revokeKey } from "./revoke-key.ts";
import { updateKey } from "./update-key.ts";

export const operations = { create_key: createKey, list_keys: listKeys, update_key: updateKey, revoke_key: revokeKey } as const;
