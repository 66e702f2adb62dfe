/**
 * The record as text that is the same whichever engine it was read from: names in alphabetical order, the type first. Only
 * `fields` stays as it was written: the order in there is the writer's.
 */
export function canonicalJson(record: { readonly type: string }): string {
  const { type, ...rest } = record;
  return JSON.stringify({ type, ...(ordered(rest) as object) });
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, key === "fields" ? inner : ordered(inner)]));
}
