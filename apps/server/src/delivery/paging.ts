import { LIMITS, type PaginationJson } from "@stet/contract";
import { decodeCursor, encodeCursor } from "#domain/cursor";
import { fail } from "#domain/failure";
import { type IdKind, isId } from "#domain/ids";
import type { After, ListPage } from "#ports/list-page";
import type { RouteAnswer } from "./read-route.ts";

/** A list that is paged: its sort stands in the cursor, and so does the kind of thing it lists, by its id. */
export interface Paging {
  readonly kind: IdKind;
  readonly sort: string;
}

/**
 * Where a page goes on. A cursor of another sort or another list is refused. Filters may change while paging: the cursor
 * says how far the order was read, whatever was shown of it.
 */
export function afterOf({ kind, sort }: Paging, cursor: string | undefined): After | null {
  if (cursor === undefined) return null;
  const position = decodeCursor(cursor, sort);
  if (isId(kind, position.id)) return position;
  throw fail("INVALID_CURSOR", "This cursor belongs to another list. Start again without a cursor.");
}

export const pageSize = (limit: number | undefined): number => limit ?? LIMITS.pageSizeDefault;

/** The envelope of a collection. */
export const collection = <Item>(
  data: readonly Item[],
  paging: Paging,
  next: After | null,
  limit: number,
): { data: readonly Item[]; pagination: PaginationJson } => ({
  data,
  pagination: { hasNext: next !== null, nextCursor: next && encodeCursor(paging.sort, next), limit },
});

/** The same envelope around items that are JSON already. */
export const readyCollection = (data: readonly Buffer[], paging: Paging, next: After | null, limit: number): RouteAnswer => {
  const { data: _, ...rest } = collection([], paging, next, limit);
  return { kind: "list", data, rest };
};

export const NOTHING: ListPage<never> = { rows: [], next: null };
