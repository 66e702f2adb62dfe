import type { WebsiteId } from "#domain/ids";
import { inKeyOrder, batchLookups } from "../batch-lookups.ts";
import type { Connection } from "./connection.ts";
import { type Fragment, raw, sql } from "./sql.ts";

export interface Key<Id extends string> {
  readonly websiteId: WebsiteId;
  readonly id: Id;
}

/** Finds rows of a table by the two columns of its key; those asked for at the same time with one question. */
export function lookUpByKey<Id extends string, Row extends object, Found>(
  connection: Connection,
  table: "posts" | "terms",
  columns: Fragment,
  present: (row: Row) => Found,
): (key: Key<Id>) => Promise<Found | null> {
  return batchLookups(async (keys: readonly Key<Id>[]) => {
    const rows = await connection.lookUp<Row & { nth: number }>(sql`
      SELECT nth, ${columns}
      FROM unnest((SELECT ${keys.map(({ websiteId }) => websiteId)}::text[]), (SELECT ${keys.map(({ id }) => id)}::text[]))
        WITH ORDINALITY AS asked (asked_website, asked_id, nth)
      JOIN ${raw(table)} ON website_id = asked_website AND id = asked_id`);
    return inKeyOrder(keys, rows, present);
  });
}
