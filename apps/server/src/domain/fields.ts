import { type FieldError, LIMITS } from "@stet/contract";
import type { JsonObject, JsonValue } from "#domain/json";
import { isTimestamp } from "#domain/time";
import type { FieldDefinition } from "#domain/website";

/** Values that do not fit the website's field definitions. Empty values are fine here: a draft may be incomplete. */
export function fieldErrors(definitions: readonly FieldDefinition[], values: JsonObject): FieldError[] {
  // Too much is said as one thing: the answer must not repeat it name by name.
  if (Buffer.byteLength(JSON.stringify(values)) > LIMITS.fieldsBytes) {
    return [{ field: "fields", message: `must be at most ${LIMITS.fieldsBytes / 1024} KiB of JSON` }];
  }
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(values)) {
    const definition = definitions.find((candidate) => candidate.key === key);
    if (!definition) errors.push({ field: `fields.${key}`, message: "is not a field of this website" });
    else if (!isEmpty(value) && !FITS[definition.type](value, definition)) {
      errors.push({ field: `fields.${key}`, message: `must be ${EXPECTED[definition.type](definition)}` });
    }
  }
  return errors;
}

/** Required fields without a value: they stop a post from going live. */
export function missingFields(definitions: readonly FieldDefinition[], values: JsonObject): FieldError[] {
  return definitions
    .filter((definition) => definition.required && isEmpty(values[definition.key] ?? null))
    .map((definition) => ({
      field: `fields.${definition.key}`,
      message: `"${definition.label}" is required before the post can be published`,
    }));
}

const isEmpty = (value: JsonValue): boolean => value === null || value === "";

const FITS: Record<FieldDefinition["type"], (value: JsonValue, definition: FieldDefinition) => boolean> = {
  text: (value) => typeof value === "string",
  number: (value) => typeof value === "number" && Number.isFinite(value),
  boolean: (value) => typeof value === "boolean",
  date: (value) => typeof value === "string" && isTimestamp(`${value}T00:00:00.000Z`),
  url: (value) => typeof value === "string" && isHttpUrl(value),
  select: (value, { options }) => typeof value === "string" && options.includes(value),
  json: () => true,
};

const EXPECTED: Record<FieldDefinition["type"], (definition: FieldDefinition) => string> = {
  text: () => "text",
  number: () => "a number",
  boolean: () => "true or false",
  date: () => "a date such as 2026-11-15",
  url: () => "an http or https address",
  select: ({ options }) => `one of: ${options.join(", ")}`,
  json: () => "JSON",
};

export function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.protocol === "https:" || url.protocol === "http:");
}
