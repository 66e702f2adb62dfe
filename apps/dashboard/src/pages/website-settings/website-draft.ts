import type { Website } from "../../api/answers.ts";
import type { Input } from "../../api/wire.ts";
import { capital } from "../../lib/format.ts";
import { SETTING_NAMES } from "../../lib/part-names.ts";

/** The form: everything is text while it is typed. */
export interface WebsiteDraft {
  name: string;
  title: string;
  description: string;
  language: string;
  timeZone: string;
  publicUrl: string;
  previewUrl: string;
  styleGuide: string;
  holdToolChanges: boolean;
}

export const draftOf = ({ name, settings }: Website): WebsiteDraft => ({
  name,
  title: settings.title,
  description: settings.description,
  language: settings.language,
  timeZone: settings.timeZone,
  publicUrl: settings.publicUrl ?? "",
  previewUrl: settings.previewUrl ?? "",
  styleGuide: settings.styleGuide,
  holdToolChanges: settings.holdToolChanges,
});

/** The label of a setting in the form. */
export const labelOf = (key: keyof WebsiteDraft): string => capital(SETTING_NAMES[key]);

/** The names of the settings that differ. */
export const changedIn = (base: WebsiteDraft, draft: WebsiteDraft): (keyof WebsiteDraft)[] =>
  (Object.keys(base) as (keyof WebsiteDraft)[]).filter((key) => base[key] !== draft[key]);

/** What was changed in `draft` since it was as in `base`, on top of newer settings. */
export const rebased = (base: WebsiteDraft, draft: WebsiteDraft, newer: WebsiteDraft): WebsiteDraft => ({
  ...newer,
  ...Object.fromEntries(changedIn(base, draft).map((key) => [key, draft[key]])),
});

/** Only changed settings are sent, so that settings which someone else changed meanwhile stay as they are. */
export function patchOf(base: WebsiteDraft, draft: WebsiteDraft): Pick<Input<"update_website">, "name" | "settings"> {
  const { name, ...settings } = Object.fromEntries(changedIn(base, draft).map((key) => [key, draft[key]])) as Partial<WebsiteDraft>;
  const { publicUrl, previewUrl, ...rest } = settings;
  return {
    ...(name !== undefined && { name }),
    settings: {
      ...rest,
      ...(publicUrl !== undefined && { publicUrl: publicUrl.trim() || null }),
      ...(previewUrl !== undefined && { previewUrl: previewUrl.trim() || null }),
    },
  };
}
