import type { After, Page } from "#ports/content-store";
import { type Fragment, raw, sql } from "./sql.ts";

/** How a list goes on after a row: the condition and the order that one index serves, at any depth. */
export interface Keyset {
  readonly condition: Fragment;
  readonly order: Fragment;
}

/** `key` and `id` are column names of ours. The id breaks ties and follows the key's direction, so that one index serves both. */
export function keyset(
  after: After | null,
  key: string,
  id: string,
  options: { descending: boolean; type: "timestamptz" | "text" },
): Keyset {
  const direction = raw(options.descending ? "DESC" : "ASC");
  const beyond = raw(options.descending ? "<" : ">");
  return {
    condition: after ? sql`(${raw(key)}, ${raw(id)}) ${beyond} (${after.key}::${raw(options.type)}, ${after.id})` : raw("true"),
    order: sql`${raw(key)} ${direction}, ${raw(id)} ${direction}`,
  };
}

/** Rows were read one beyond the limit: that one only says that there is more. */
export function pageOf<Row extends { readonly key: string; readonly id: string }, Out>(
  rows: readonly Row[],
  limit: number,
  present: (row: Row) => Out,
): Page<Out> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { rows: shown.map(present), next: last && rows.length > limit ? { key: last.key, id: last.id } : null };
}

/** A part of a folded text. Not LIKE: whatever was typed means itself. */
export const contains = (column: string, folded: string): Fragment => sql`position(${folded} IN ${raw(column)}) > 0`;
