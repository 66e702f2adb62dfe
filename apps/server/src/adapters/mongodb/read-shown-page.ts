import type { After, ListPage } from "#ports/list-page";

/** More than any website has that nobody sees. A customer's database can say without end that there is another page. */
const MOST_ROWS = 10_000;

/**
 * Pages of only those records that a published post shows. Whether one does is known only by asking the posts, so whole
 * pages are read and narrowed until there is one row more than asked for: that one tells whether another page follows. After `mostRows` it
 * answers what it has, and where to go on.
 */
export async function readShownPage<Row>(reading: {
  readonly page: (after: After | null) => Promise<ListPage<Row>>;
  readonly keep: (rows: readonly Row[]) => Promise<Row[]>;
  readonly afterRow: (row: Row) => After;
  readonly after: After | null;
  readonly limit: number;
  readonly mostRows?: number;
}): Promise<ListPage<Row>> {
  const rows: Row[] = [];
  let after = reading.after;
  let left = reading.mostRows ?? MOST_ROWS;
  do {
    const page = await reading.page(after);
    rows.push(...(await reading.keep(page.rows)));
    after = page.next;
    // A page of nothing that parses counts too.
    left -= Math.max(1, page.rows.length);
  } while (after && left > 0 && rows.length <= reading.limit);
  const shown = rows.slice(0, reading.limit);
  const last = shown.at(-1);
  return { rows: shown, next: rows.length > shown.length && last ? reading.afterRow(last) : after };
}
