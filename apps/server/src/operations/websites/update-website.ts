import { isDeepStrictEqual } from "node:util";
import type { Website, WebsiteSettings } from "#domain/website";
import { expectedVersion, nameOf } from "../kernel/inputs.ts";
import { websiteOperation } from "../kernel/operation.ts";
import { saveWebsite } from "./helpers/save-website.ts";
import { settingsInput, withSettings } from "./helpers/settings-input.ts";

export const updateWebsite = websiteOperation({
  name: "update_website",
  summary: "Change the name or settings of a website.",
  permission: "website.manage",
  input: { expectedVersion, name: nameOf().optional(), settings: settingsInput.optional() },
  run: (context, input): Promise<Website> =>
    saveWebsite(context, input.expectedVersion, {
      name: input.name ?? context.website.name,
      settings: withSettings(context.website.settings, input.settings ?? {}),
    }),
  changes: "access",
  activity: ({ website: before }, _, after) => ({
    target: { id: after.id, label: after.name },
    details: { version: after.version, changed: changedNames(before, after) },
  }),
});

function changedNames(before: Website, after: Website): readonly string[] {
  const settings = (Object.keys(after.settings) as (keyof WebsiteSettings)[]).filter(
    (key) => !isDeepStrictEqual(before.settings[key], after.settings[key]),
  );
  return before.name === after.name ? settings : ["name", ...settings];
}
