/** Any value as text that can be compared and copied. */
export const asText = (value: unknown): string =>
  typeof value === "string" ? value : value === null || value === undefined ? "" : JSON.stringify(value, null, 2);
