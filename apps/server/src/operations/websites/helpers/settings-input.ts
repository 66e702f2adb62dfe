import { z } from "zod";
import type { WebsiteSettings } from "#domain/website";
import { httpUrl, lineOf, textOf } from "../../kernel/inputs.ts";

/** Feeds put a path behind it, so it ends where the blog begins. */
const publicUrl = httpUrl.refine((value) => !/[?#]/.test(value), "must not contain ? or #").transform((value) => value.replace(/\/+$/, ""));

/** Kept in its canonical form: `pt-br` is `pt-BR`. */
const language = z.string().transform((value, context) => {
  try {
    const [canonical] = Intl.getCanonicalLocales(value.trim());
    if (canonical !== undefined && canonical.length <= 35) return canonical;
  } catch {
    // Not a language tag: said below.
  }
  context.addIssue({ code: "custom", message: "must be a language such as en or pt-BR" });
  return z.NEVER;
});

const timeZone = z.string().trim().refine(isTimeZone, "must be a time zone such as Europe/Lisbon or UTC");

/** The settings that can be changed; a setting that is left out stays as it is. */
export const settingsInput = z
  .strictObject({
    publicUrl: publicUrl.nullable(),
    previewUrl: httpUrl.nullable(),
    title: lineOf(200),
    description: textOf(1_000),
    language,
    timeZone,
    styleGuide: textOf(20_000),
    holdToolChanges: z.boolean(),
  })
  .partial();

export type SettingsPatch = z.infer<typeof settingsInput>;

export const defaultSettings = (name: string): WebsiteSettings => ({
  publicUrl: null,
  previewUrl: null,
  title: name,
  description: "",
  language: "en",
  timeZone: "UTC",
  styleGuide: "",
  holdToolChanges: false,
});

export function withSettings(settings: WebsiteSettings, patch: SettingsPatch): WebsiteSettings {
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  return { ...settings, ...given };
}

/** A name of the IANA list. Offsets such as +01:00 are none: they do not know about summer. */
function isTimeZone(value: string): boolean {
  if (!/^[A-Za-z]/.test(value)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: value });
    return true;
  } catch {
    return false;
  }
}
