import type { MediaType, Schema } from "./types.ts";
import { refTo } from "./types.ts";

const example = (value: unknown): Pick<MediaType, "examples"> => ({ examples: { example: { value } } });

const envelope = (properties: Record<string, Schema>): Schema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
});

/** `{data}` */
export const one = (schema: string, value: unknown): Record<string, MediaType> => ({
  "application/json": { schema: envelope({ data: { ...refTo("schemas", schema) } }), ...example(value) },
});

/** `{data, pagination}` */
export const page = (schema: string, value: unknown): Record<string, MediaType> => ({
  "application/json": {
    schema: envelope({ data: { type: "array", items: refTo("schemas", schema) }, pagination: { ...refTo("schemas", "Pagination") } }),
    ...example(value),
  },
});

export const json = (schema: string, value: unknown): Record<string, MediaType> => ({
  "application/json": { schema: refTo("schemas", schema), ...example(value) },
});

export const text = (contentType: string, value: string): Record<string, MediaType> => ({
  [contentType]: { schema: { type: "string" }, ...example(value) },
});
