import type { FieldType } from "@stet/contract";

/** The name of each type, and an example of its values. */
export const FIELD_WORDS: Readonly<Record<FieldType, { label: string; help: string }>> = {
  text: { label: "Text", help: "A line or a few, such as a subtitle." },
  number: { label: "Number", help: "Such as a price or a rating." },
  boolean: { label: "Yes or no", help: "A switch." },
  date: { label: "Date", help: "A day, without a time: 2026-11-15." },
  url: { label: "Address", help: "An http or https address." },
  select: { label: "Choice", help: "One of the options below." },
  json: { label: "JSON", help: "Any JSON value, for data that only your website understands." },
};

/** "Reading level" becomes `readingLevel`, its name in the API. */
export function keyOf(label: string): string {
  const words = label
    .normalize("NFKD")
    .replaceAll(/[^A-Za-z0-9 ]/g, "")
    .trim()
    .split(/\s+/)
    .filter(Boolean);
  const key = words
    .map((word, position) => (position === 0 ? word.toLowerCase() : word[0]!.toUpperCase() + word.slice(1).toLowerCase()))
    .join("");
  return /^[A-Za-z]/.test(key) ? key.slice(0, 64) : "";
}
