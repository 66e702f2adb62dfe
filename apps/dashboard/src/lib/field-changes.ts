import { spacedWords } from "./format.ts";
import { partName } from "./part-names.ts";
import { valueWords } from "./value-words.ts";

interface ChangedField {
  readonly field: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** One changed value with its name, in words. */
export interface FieldChange {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** The changed fields in words, one for each value that differs: of "search and social", only the description. */
export function fieldChanges(fields: readonly ChangedField[], nameOf?: (text: string) => string): readonly FieldChange[] {
  return fields.flatMap(({ field, before, after }) => {
    const one = (name: string, from: unknown, to: unknown): FieldChange => ({ name, before: words(from), after: words(to) });
    const words = (value: unknown) => (value === "" ? "none" : valueWords(value, nameOf));
    if (!isObject(before) && !isObject(after)) return [one(partName(field), before, after)];
    const [from, to] = [isObject(before) ? before : {}, isObject(after) ? after : {}];
    return [...new Set([...Object.keys(from), ...Object.keys(to)])]
      .filter((key) => JSON.stringify(from[key]) !== JSON.stringify(to[key]))
      .map((key) => one(`${partName(field)}: ${spacedWords(key)}`, from[key], to[key]));
  });
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
