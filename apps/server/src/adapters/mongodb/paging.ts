import type { Collection, Filter } from "mongodb";
import { fail } from "#domain/failure";
import { isTimestamp, timestamp } from "#domain/time";
import type { After, ListPage } from "#ports/list-page";
import type { Stored } from "./context.ts";
import { dateOf } from "./schemas.ts";
import { allDocuments, eachDocument } from "./read-documents.ts";

export interface Order {
  readonly field: string;
  readonly type: "moment" | "text";
  readonly descending: boolean;
}

/** The order behind a sort such as `-createdAt`; titles go by their folded form. */
export function orderOf(sort: string, titleField: string): Order {
  const descending = sort.startsWith("-");
  const name = descending ? sort.slice(1) : sort;
  return name === "title" ? { field: titleField, type: "text", descending } : { field: name, type: "moment", descending };
}

const FIRST = { moment: new Date(-8.64e15), text: "" } as const;

function sortValue(order: Order, key: string): Date | string {
  if (order.type === "text") return key;
  if (isTimestamp(key)) return dateOf(key);
  throw fail("INVALID_CURSOR", "The cursor does not belong to this sort. Start again without a cursor.");
}

/** Bounds on the sort field: never only the tie-break, or the index would be read from its start on every page. */
function bounds(order: Order, prefix: string, after: After | null): Filter<Stored>[] {
  // Comparing with a value of a type matches that type only: a document with anything else there is left out.
  if (!after) return [{ [order.field]: { $gte: FIRST[order.type] } }];
  const value = sortValue(order, after.key);
  const [within, beyond] = order.descending ? ["$lte", "$lt"] : ["$gte", "$gt"];
  return [
    { [order.field]: { [within]: value } },
    // The id breaks ties: two records of one millisecond must not swap between pages.
    { $or: [{ [order.field]: { [beyond]: value } }, { _id: { [beyond]: prefix + after.id } }] },
  ] as Filter<Stored>[];
}

export interface PageQuery {
  /** The website, and what indexes can find. */
  readonly filter: Filter<Stored>;
  readonly conditions?: readonly Filter<Stored>[];
  readonly order: Order;
  /** The part of the key before the record's own id. */
  readonly prefix: string;
  readonly after: After | null;
  /** Documents that are passed over first. */
  readonly skip?: number;
  readonly limit: number;
  readonly projection?: Readonly<Record<string, 0 | 1>>;
}

/** One page. A document that does not parse takes its place in the order but not in the rows. */
export async function readPage<Row>(
  collection: Collection<Stored>,
  query: PageQuery,
  parse: (document: Stored) => Row | null,
): Promise<ListPage<Row>> {
  const { order, prefix } = query;
  const direction = order.descending ? -1 : 1;
  const documents = await allDocuments(
    collection
      .find({ ...query.filter, $and: [...bounds(order, prefix, query.after), ...(query.conditions ?? [])] })
      .sort({ [order.field]: direction, _id: direction })
      .skip(query.skip ?? 0)
      .limit(query.limit + 1)
      .project<Stored>(query.projection ?? {}),
    query.limit + 1,
  );
  const shown = documents.slice(0, query.limit);
  const last = documents.length > query.limit ? shown.at(-1) : undefined;
  return {
    rows: shown.map(parse).filter((row) => row !== null),
    next: last ? placeOf(last, order, prefix) : null,
  };
}

/** No title is so long. */
const MOST_KEY = 10_000;

/** Where a page goes on; null after a document that cannot stand where it was found, which only a server makes up that is not one. */
function placeOf(last: Stored, order: Order, prefix: string): After | null {
  const { _id, [order.field]: value } = last as Record<string, unknown>;
  const key = value instanceof Date && !Number.isNaN(value.getTime()) ? timestamp(value) : value;
  if (typeof key !== "string" || key.length > MOST_KEY || typeof _id !== "string") return null;
  return { key, id: _id.slice(prefix.length) };
}

/**
 * Up to `limit` records that parse, in the order given. What does not parse is passed over instead of counted, or enough
 * bad documents at the front would stop a sweep for good.
 */
export async function sweep<Row>(
  collection: Collection<Stored>,
  query: { filter: Filter<Stored>; sort: Readonly<Record<string, 1>>; limit: number; projection?: Readonly<Record<string, 0 | 1>> },
  parse: (document: Stored) => Row | null,
): Promise<Row[]> {
  const rows: Row[] = [];
  if (query.limit <= 0) return rows;
  const cursor = collection
    .find(query.filter)
    .sort({ ...query.sort })
    .project<Stored>(query.projection ?? {})
    .batchSize(query.limit + 1);
  for await (const document of eachDocument(cursor)) {
    const row = parse(document);
    if (row !== null) rows.push(row);
    if (rows.length === query.limit) break;
  }
  return rows;
}

/** A literal text as a pattern: its signs mean themselves. */
export const containing = (folded: string): { $regex: string } => ({ $regex: folded.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&") });
