/** Languages that people write blogs in, to choose from. Any other BCP 47 tag can be typed. */
const TAGS =
  "ar bg ca cs da de el en en-GB en-US es et eu fa fi fr ga he hi hr hu hy id it " +
  "ja ko lt lv ms nb ne nl pl pt pt-BR ro ru sk sl sr sv ta th tr uk vi zh-Hans zh-Hant";

const names = new Intl.DisplayNames(undefined, { type: "language" });

/** "German (de)"; null where the browser knows no such language. */
export function languageName(tag: string): string | null {
  try {
    const name = names.of(tag);
    return name && name !== tag ? name : null;
  } catch {
    return null;
  }
}

export const LANGUAGES = TAGS.split(" ")
  .map((tag) => ({ tag, name: languageName(tag) ?? tag }))
  .toSorted((a, b) => a.name.localeCompare(b.name));

/** Every zone that the browser knows, with the one that is set now even if it does not. */
export function timeZones(current: string): readonly string[] {
  return [...new Set(["UTC", current, ...Intl.supportedValuesOf("timeZone")])].toSorted();
}
