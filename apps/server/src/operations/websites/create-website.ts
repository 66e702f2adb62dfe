import { MANAGED } from "#domain/content-home";
import { fail } from "#domain/failure";
import { newId } from "#domain/ids";
import { planWords } from "#domain/plan-words";
import { fits } from "#domain/plans";
import { millis } from "#domain/time";
import type { Website } from "#domain/website";
import { nameOf } from "../kernel/inputs.ts";
import { workspaceOperation } from "../kernel/operation.ts";
import { currentPlan } from "../kernel/current-plan.ts";
import { defaultSettings, settingsInput, withSettings } from "./helpers/settings-input.ts";

export const createWebsite = workspaceOperation({
  name: "create_website",
  summary: "Create a website, within the limit of the plan.",
  permission: "website.manage",
  input: { name: nameOf(), settings: settingsInput.optional() },
  run: ({ services, workspace, now }, { name, settings }): Promise<Website> =>
    services.platform.locked(workspace.id, async (platform) => {
      const plan = await currentPlan(platform, workspace);
      const allowed = services.plans[plan].websites;
      const used = (await platform.websites.list(workspace.id)).length;
      if (!fits(used + 1, allowed)) {
        const { subject, getMore } = planWords(plan);
        throw fail(
          "PLAN_LIMIT",
          `${subject} has room for ${allowed} website${allowed === 1 ? "" : "s"} in a workspace. Delete a website, or ${getMore}.`,
          { limit: "websites", plan, allowed, used },
        );
      }
      const website: Website = {
        id: newId("website", millis(now)),
        workspaceId: workspace.id,
        name,
        settings: withSettings(defaultSettings(name), settings ?? {}),
        fieldDefinitions: [],
        home: MANAGED,
        imageBase: null,
        version: 1,
        createdAt: now,
        deletedAt: null,
      };
      await platform.websites.create(website);
      return website;
    }),
  changes: "nothing",
  activity: (_, __, website) => ({ target: { id: website.id, label: website.name } }),
});
