import { closing } from "../kernel/closing.ts";
import { websiteOperation } from "../kernel/operation.ts";
import { findKey, keyId, type KeyView, keyView } from "./helpers/key-view.ts";

/** Revoking twice is fine: a person in a hurry presses twice. */
export const revokeKey = websiteOperation({
  name: "revoke_key",
  summary: "Revoke an API key; the next request with it is refused.",
  permission: "key.manage",
  input: { keyId },
  async run(context, input): Promise<{ key: KeyView; wasLive: boolean }> {
    const key = await findKey(context, input.keyId);
    if (key.revokedAt) return { key: keyView(key), wasLive: false };
    const { platform, signals } = context.services;
    await closing(signals, key.id, () => platform.keys.revoke(context.website.id, key.id, context.now));
    return { key: keyView({ ...key, revokedAt: context.now }), wasLive: true };
  },
  changes: "access",
  activity: (_, __, { key, wasLive }) => (wasLive ? { target: { id: key.id, label: key.name }, details: { masked: key.masked } } : null),
});
