import { makeApiKey, maskApiKey } from "#domain/api-key";
import { fail } from "#domain/failure";
import { newId } from "#domain/ids";
import { planWords } from "#domain/plan-words";
import { fits } from "#domain/plans";
import { millis } from "#domain/time";
import type { ApiKey } from "#domain/website";
import { nameOf } from "../kernel/inputs.ts";
import { websiteOperation } from "../kernel/operation.ts";
import { currentPlan } from "../kernel/current-plan.ts";
import { type KeyView, keyView, monthlyCapInput, originsInput, requireOrigins } from "./helpers/key-view.ts";

export interface NewKey {
  /** The key itself. Shown this once: only its keyed hash is stored. */
  readonly key: string;
  readonly record: KeyView;
}

export const createKey = websiteOperation({
  name: "create_key",
  summary: "Create a project key; answers the key itself, once.",
  permission: "key.manage",
  input: { name: nameOf(), origins: originsInput.default([]), monthlyCap: monthlyCapInput.default(null) },
  async run({ services, workspace, website, by, now }, input): Promise<NewKey> {
    const key = makeApiKey();
    const record: ApiKey = {
      id: newId("key", millis(now)),
      websiteId: website.id,
      name: input.name,
      masked: maskApiKey(key),
      ...services.keyring.mac("api-key", key),
      origins: requireOrigins(input.origins),
      monthlyCap: input.monthlyCap,
      createdAt: now,
      createdBy: by.userId,
      lastUsedAt: null,
      revokedAt: null,
    };
    await services.platform.locked(workspace.id, async (platform) => {
      const plan = await currentPlan(platform, workspace);
      const allowed = services.plans[plan].liveKeys;
      const used = await platform.keys.countLive(website.id);
      if (!fits(used + 1, allowed)) {
        const { subject, getMore } = planWords(plan);
        throw fail("PLAN_LIMIT", `${subject} allows ${allowed} live keys per website. Revoke one, or ${getMore}.`, {
          limit: "liveKeys",
          plan,
          allowed,
          used,
        });
      }
      await platform.keys.create(record);
    });
    return { key, record: keyView(record) };
  },
  changes: "access",
  activity: (_, __, { record }) => ({
    target: { id: record.id, label: record.name },
    details: { masked: record.masked, origins: record.origins, monthlyCap: record.monthlyCap },
  }),
});
