export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };
export type JsonObject = Readonly<Record<string, JsonValue>>;

/** PostgreSQL keeps about as many levels as its stack holds, the document stores a hundred, around what they lie in. */
const DEEPEST = 32;

/**
 * Whether every store takes it, and gives it back as it was: no character that has no place in a database, no name that would
 * become an object's prototype, and no nesting that would exhaust a stack further on.
 */
function isPlainJson(value: unknown, depth = 0): value is JsonValue {
  if (typeof value === "string") return value.isWellFormed() && !value.includes("\u0000");
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return value === null || typeof value === "boolean";
  if (depth >= DEEPEST) return false;
  return Object.entries(value).every(([key, inner]) => key !== "__proto__" && isPlainJson(key) && isPlainJson(inner, depth + 1));
}

export const isPlainObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) && isPlainJson(value);
