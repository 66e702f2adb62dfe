import type { After, ListPage } from "#ports/list-page";
import { every, type Fragment, join, raw, sql } from "./sql.ts";

/** How a list goes on after a row: the condition and the order that one index serves, at any depth. */
export interface Keyset {
  readonly condition: Fragment;
  readonly order: Fragment;
}

/** Where a list goes on: values, or where the statement has them. */
type AfterIn = Record<keyof After, string | Fragment>;

/** `key` and `id` are column names of ours. The id breaks ties and follows the key's direction, so that one index serves both. */
export function keyset(
  after: AfterIn | null,
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

/**
 * The same for rows that share `prefix`, the first columns of the index. They are named as a range of whole index entries, not by
 * equal columns: only the index in this order can follow it. Where statistics are missing or old, another index that begins with
 * the same columns would be taken else, to be read to its end and sorted.
 */
export function keyrange(
  after: After | null,
  prefix: readonly { readonly column: string; readonly value: Fragment }[],
  key: string,
  id: string,
  options: { descending: boolean; type: "timestamptz" | "text" },
): Keyset {
  const [onwards, upTo, direction] = options.descending ? [raw("<="), raw(">="), raw("DESC")] : [raw(">="), raw("<="), raw("ASC")];
  const columns = prefix.map(({ column }) => raw(column));
  const values = prefix.map(({ value }) => value);
  const row = (fields: readonly Fragment[]): Fragment => sql`(${join(fields, ", ")})`;
  const own = [raw(key), raw(id)];
  const last = after && [sql`${after.key}::${raw(options.type)}`, sql`${after.id}`];
  return {
    condition: every([
      sql`${row(columns)} ${upTo} ${row(values)}`,
      ...(last
        ? // Not `>`: by the first column alone, of which the planner judges a row, nothing lies beyond.
          [sql`${row([...columns, ...own])} ${onwards} ${row([...values, ...last])}`, sql`${row(own)} <> ${row(last)}`]
        : [sql`${row(columns)} ${onwards} ${row(values)}`]),
    ]),
    order: join(
      [...columns, ...own].map((column) => sql`${column} ${direction}`),
      ", ",
    ),
  };
}

const SIZES = [20, 50, 100];

/** How many rows a kept plan reads for a page, one beyond it at least: the planner is told in the text, and a few texts are few plans. */
export const mostFor = (limit: number): Fragment => raw(String(1 + (SIZES.find((size) => size >= limit) ?? limit)));

/** Rows were read one beyond the limit: that one only says that there is more. */
export function listPageOf<Row extends { readonly key: string; readonly id: string }, Out>(
  rows: readonly Row[],
  limit: number,
  present: (row: Row) => Out,
): ListPage<Out> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { rows: shown.map(present), next: last && rows.length > limit ? { key: last.key, id: last.id } : null };
}

/** A part of a folded text. Not LIKE: whatever was typed means itself. */
export const contains = (column: string, folded: string): Fragment => sql`position(${folded} IN ${raw(column)}) > 0`;
