import type { After, ListPage } from "#ports/list-page";

/** Every row of a list, read page by page; with `most`, of so many pages: a customer's database can say without end that there is another. */
export async function* pages<Row>(read: (after: After | null) => Promise<ListPage<Row>>, most = Infinity): AsyncGenerator<Row> {
  let after: After | null = null;
  for (let count = 0; count < most; count++) {
    const page: ListPage<Row> = await read(after);
    yield* page.rows;
    if (!page.next) return;
    after = page.next;
  }
}
