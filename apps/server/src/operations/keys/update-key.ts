import { fail } from "#domain/failure";
import { closing } from "../kernel/closing.ts";
import { nameOf } from "../kernel/inputs.ts";
import { websiteOperation } from "../kernel/operation.ts";
import { findKey, keyId, type KeyView, keyView, monthlyCapInput, originsInput, requireOrigins } from "./helpers/key-view.ts";

export const updateKey = websiteOperation({
  name: "update_key",
  summary: "Change the name, allowed origins or monthly cap of an API key.",
  permission: "key.manage",
  input: { keyId, name: nameOf().optional(), origins: originsInput.optional(), monthlyCap: monthlyCapInput.optional() },
  async run(context, input): Promise<KeyView> {
    const key = await findKey(context, input.keyId);
    if (key.revokedAt) throw fail("INVALID_TRANSITION", "The key was revoked and cannot be used again. Create a new one.");
    const change = {
      name: input.name ?? key.name,
      origins: input.origins ? requireOrigins(input.origins) : key.origins,
      monthlyCap: input.monthlyCap === undefined ? key.monthlyCap : input.monthlyCap,
    };
    const { platform, signals } = context.services;
    // Fewer origins may be allowed.
    await closing(signals, key.id, () => platform.keys.update(context.website.id, key.id, change));
    return keyView({ ...key, ...change });
  },
  changes: "access",
  activity: (_, __, key) => ({
    target: { id: key.id, label: key.name },
    details: { masked: key.masked, origins: key.origins, monthlyCap: key.monthlyCap },
  }),
});
