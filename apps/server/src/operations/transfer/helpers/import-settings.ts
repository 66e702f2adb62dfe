import { fail } from "#domain/failure";
import type { Website, WebsiteSettings } from "#domain/website";
import type { InWebsite } from "../../kernel/operation.ts";
import { saveWebsite } from "../../websites/helpers/save-website.ts";
import { defaultSettings, settingsInput, withSettings } from "../../websites/helpers/settings-input.ts";

export interface SettingsOutcome {
  readonly website: Website;
  readonly taken: readonly string[];
  /** Those in which the file differs, and that were left as they are. */
  readonly kept: readonly string[];
}

/** Tokens that open drafts are sent there: a file must not say where. */
const NEVER = new Set<keyof WebsiteSettings>(["previewUrl"]);

/**
 * A setting is taken from the file where the website still has the one it was made with. What somebody has set stays, so that nothing is
 * overwritten silently; the report names it. The name stays too: people know the website by it.
 */
export async function importSettings(
  context: InWebsite,
  given: { readonly name: string; readonly settings: Readonly<Record<string, unknown>> },
): Promise<SettingsOutcome> {
  const { website } = context;
  const input = settingsInput.safeParse(given.settings);
  if (!input.success) {
    const [issue] = input.error.issues;
    throw fail("VALIDATION_FAILED", `Line 1: the settings cannot be used here. ${issue?.path.join(".")}: ${issue?.message}`, { line: 1 });
  }
  const file = withSettings(website.settings, input.data);
  const [unsetHere, unsetThere] = [defaultSettings(website.name), defaultSettings(given.name)];
  // A setting that was never set where the file comes from says nothing.
  const different = (Object.keys(unsetHere) as (keyof WebsiteSettings)[]).filter(
    (name) => file[name] !== unsetThere[name] && file[name] !== website.settings[name],
  );
  const isFree = (name: keyof WebsiteSettings) => !NEVER.has(name) && website.settings[name] === unsetHere[name];
  const taken = different.filter(isFree);
  const kept = different.filter((name) => !isFree(name));
  if (taken.length === 0) return { website, taken, kept };
  const settings = withSettings(website.settings, Object.fromEntries(taken.map((name) => [name, file[name]])));
  return { website: await saveWebsite(context, website.version, { settings }), taken, kept };
}
