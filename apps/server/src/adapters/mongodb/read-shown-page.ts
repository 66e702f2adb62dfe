import type { After, ListPage } from "#ports/content-store";

/**
 * Pages of only those records that a published post shows. Whether one does is known only by asking the posts, so whole
 * pages are read and narrowed until there is one row more than asked for: that one tells whether another page follows.
 */
export async function readShownPage<Row>(reading: {
  readonly page: (after: After | null) => Promise<ListPage<Row>>;
  readonly keep: (rows: readonly Row[]) => Promise<Row[]>;
  readonly afterRow: (row: Row) => After;
  readonly after: After | null;
  readonly limit: number;
}): Promise<ListPage<Row>> {
  const rows: Row[] = [];
  let after = reading.after;
  do {
    const page = await reading.page(after);
    rows.push(...(await reading.keep(page.rows)));
    after = page.next;
  } while (after && rows.length <= reading.limit);
  const shown = rows.slice(0, reading.limit);
  const last = shown.at(-1);
  return { rows: shown, next: rows.length > shown.length && last ? reading.afterRow(last) : null };
}
