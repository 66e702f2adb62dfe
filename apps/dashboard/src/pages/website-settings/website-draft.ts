import type { Input, Output } from "../../api/wire.ts";

export type Website = Output<"get_website">;

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

export const LABELS: Readonly<Record<keyof WebsiteDraft, string>> = {
  name: "Name",
  title: "Title",
  description: "Description",
  language: "Language",
  timeZone: "Time zone",
  publicUrl: "Public address",
  previewUrl: "Preview address",
  styleGuide: "Style guide",
  holdToolChanges: "Hold AI changes",
};

/** What differs, by name. */
export const changedIn = (base: WebsiteDraft, draft: WebsiteDraft): (keyof WebsiteDraft)[] =>
  (Object.keys(LABELS) as (keyof WebsiteDraft)[]).filter((key) => base[key] !== draft[key]);

/** Only what was changed is sent: whatever someone else changed meanwhile stays theirs. */
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
