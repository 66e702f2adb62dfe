import { formatNumber, spacedWords } from "./format.ts";
import { formatDateTime } from "./time.ts";

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** Any value as a person would write it down. `nameOf` gives texts a name that say too little, such as ids. */
export function valueWords(value: unknown, nameOf: (text: string) => string = (text) => text): string {
  if (value === null || value === undefined) return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return formatNumber(value);
  if (typeof value === "string") return MOMENT.test(value) && !Number.isNaN(Date.parse(value)) ? formatDateTime(value) : nameOf(value);
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map((each) => valueWords(each, nameOf)).join(", ");
  return Object.entries(value)
    .map(([key, part]) => `${spacedWords(key)}: ${valueWords(part, nameOf)}`)
    .join(", ");
}
