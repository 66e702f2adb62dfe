import type { TermKind } from "@stet/contract";
import { decodeCursor, encodeCursor } from "#domain/cursor";
import { fail } from "#domain/failure";
import { fold } from "#domain/fold";
import type { InWebsite } from "../../kernel/operation.ts";
import type { ListAnswer } from "../../kernel/paging.ts";
import { type TermView, withCounts } from "./term-view.ts";

/** Besides the name, by which the stores keep them. */
type TermSort = "-postCount" | "-createdAt";

/** Read at once while they are gathered. */
const AT_ONCE = 500;
/** More than anybody looks through; all of them are read and counted for each page. */
const MOST = 5_000;

interface Query {
  readonly kind: TermKind;
  readonly sort: TermSort;
  readonly nameContains: string | undefined;
  readonly cursor: string | undefined;
  readonly limit: number;
}

/** Sorted here: a website has tens or hundreds of terms, and no store could keep them by a count that every save of a post changes. */
export async function sortedTerms(context: InWebsite, { kind, sort, nameContains, cursor, limit }: Query): Promise<ListAnswer<TermView>> {
  const name = `${sort} of ${kind}`;
  const after = cursor ? decodeCursor(cursor, name) : null;
  const terms = await gather(context, kind, nameContains);
  const keyOf = sort === "-postCount" ? mostPostsFirst : newestFirst;
  const sorted = terms.map((term) => ({ term, key: keyOf(term), id: term.id })).toSorted(compare);
  const rest = after ? sorted.filter((row) => compare(row, after) > 0) : sorted;
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(({ term }) => term),
    nextCursor: last && rest.length > limit ? encodeCursor(name, { key: last.key, id: last.id }) : null,
  };
}

async function gather(context: InWebsite, kind: TermKind, nameContains: string | undefined): Promise<readonly TermView[]> {
  const { content, website } = context;
  const found: TermView[] = [];
  let after: Parameters<typeof content.terms.list>[1]["after"] = null;
  let count = 0;
  do {
    const page = await content.terms.list(website.id, { kind, ...(nameContains && { nameContains }), after, limit: AT_ONCE });
    found.push(...(await withCounts(context, page.rows)));
    after = page.next;
    count += AT_ONCE;
    if (count >= MOST && after) {
      throw fail("UNSUPPORTED_SORT", `There are over ${MOST}: too many to sort this way. Sort by name, or search to narrow them down.`);
    }
  } while (after);
  return found;
}

interface Row {
  readonly key: string;
  readonly id: string;
}

/** Keys ascend, so that one comparison serves; what comes first has the smaller one. Equal counts go by name. */
const mostPostsFirst = (term: TermView): string => `${downwards(term.postCount)} ${fold(term.name)}`;
const newestFirst = (term: TermView): string => downwards(Date.parse(term.createdAt));
const downwards = (number: number): string => String(Number.MAX_SAFE_INTEGER - number).padStart(16, "0");

const compare = (one: Row, other: Row): number => order(one.key, other.key) || order(one.id, other.id);
const order = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
