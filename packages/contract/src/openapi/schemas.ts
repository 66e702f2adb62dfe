import { z } from "zod";
import * as delivery from "../delivery.ts";
import { problemSchema } from "../problem.ts";
import * as webhooks from "../webhook-event.ts";
import type { Schema } from "./types.ts";

/** Where zod puts what refers to itself without a name: only "any JSON value" does, which JSON Schema says by saying nothing. */
const SHARED = "__shared";
const SIMPLE_TIMESTAMP = String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$`;

/** Every schema of the contract that has an id, as JSON Schema: what validates in the tests is what is described. */
export function componentSchemas(): Record<string, Schema> {
  const registry = z.registry<{ id: string }>();
  for (const exported of [...Object.values(delivery), ...Object.values(webhooks), problemSchema]) {
    if (!(exported instanceof z.ZodType)) continue;
    const id = exported.meta()?.["id"];
    if (typeof id === "string") registry.add(exported, { id });
  }
  const { schemas } = z.toJSONSchema(registry, { uri: (id) => `#/components/schemas/${id}` });
  const named = Object.entries(schemas).filter(([name]) => name !== SHARED);
  const sorted = named.toSorted(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, schema]) => [name, plain(schema) as Schema]));
}

/**
 * What a reader needs of it. Objects stay open, because v1 grows by addition: a client that refuses a field it does not
 * know would break on the day we add one. Bounds that only say "a whole number of JavaScript" go.
 */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const source = value as Record<string, unknown>;
  if (String(source["$ref"]).includes(SHARED)) return { description: "Any JSON value." };
  const entries = Object.entries(source).filter(
    ([key, entry]) =>
      key !== "$schema" &&
      key !== "$id" &&
      !(key === "additionalProperties" && entry === false) &&
      !((key === "minimum" || key === "maximum") && Math.abs(Number(entry)) === Number.MAX_SAFE_INTEGER),
  );
  const result = Object.fromEntries(entries.map(([key, entry]) => [key, plain(entry)]));
  // The exact pattern knows leap years; the format says so in one word.
  if (result["format"] === "date-time") result["pattern"] = SIMPLE_TIMESTAMP;
  return result;
}
