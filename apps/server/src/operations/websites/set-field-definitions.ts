import { FIELD_TYPES, type FieldError } from "@stet/contract";
import { z } from "zod";
import { invalid } from "#domain/failure";
import type { FieldDefinition, Website } from "#domain/website";
import { expectedVersion, nameOf, textOf } from "../kernel/inputs.ts";
import { websiteOperation } from "../kernel/operation.ts";
import { saveWebsite } from "./helpers/save-website.ts";

const MAX_FIELDS = 50;
const MAX_OPTIONS = 100;

const definition = z.strictObject({
  key: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/, "must start with a letter and have up to 64 letters, digits and _")
    // `fields` is a plain object: "constructor" would have a value that nobody wrote.
    .refine((key) => !(key in {}), "is reserved by JavaScript; choose another one"),
  label: nameOf(),
  type: z.enum(FIELD_TYPES),
  required: z.boolean().default(false),
  help: textOf(500).default(""),
  options: z.array(nameOf()).max(MAX_OPTIONS, `must not be over ${MAX_OPTIONS}`).default([]),
});

/** Values that posts hold already are left alone; one that no longer fits is shown at the next edit. */
export const setFieldDefinitions = websiteOperation({
  name: "set_field_definitions",
  summary: "Replace the list of custom fields that posts of a website have.",
  permission: "website.manage",
  input: {
    expectedVersion,
    fieldDefinitions: z.array(definition).max(MAX_FIELDS, `must not be over ${MAX_FIELDS}`),
  },
  async run(context, input): Promise<Website> {
    const errors = definitionErrors(input.fieldDefinitions);
    if (errors.length > 0) throw invalid(errors);
    return saveWebsite(context, input.expectedVersion, { fieldDefinitions: input.fieldDefinitions });
  },
  changes: "access",
  activity: (_, __, website) => ({
    target: { id: website.id, label: website.name },
    details: { version: website.version, fields: website.fieldDefinitions.map((field) => `${field.key}: ${field.type}`) },
  }),
});

function definitionErrors(definitions: readonly FieldDefinition[]): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [position, { key, type, options }] of definitions.entries()) {
    const field = (part: string) => `fieldDefinitions.${position}.${part}`;
    if (seen.has(key)) errors.push({ field: field("key"), message: `"${key}" is used twice` });
    seen.add(key);
    if (type === "select" && options.length === 0) errors.push({ field: field("options"), message: "must have at least one option" });
    if (type !== "select" && options.length > 0) errors.push({ field: field("options"), message: "are only for the type select" });
    if (new Set(options).size < options.length) errors.push({ field: field("options"), message: "must not contain the same option twice" });
  }
  return errors;
}
