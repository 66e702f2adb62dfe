/**
 * Where a page goes on: the sort value of the last row seen (a timestamp, or a folded text), and its id to break ties.
 * A descending sort is the exact reverse of the ascending one: its ids descend too.
 */
export interface After {
  readonly key: string;
  readonly id: string;
}

export interface ListPage<Row> {
  readonly rows: readonly Row[];
  /** Set when another row exists after the last; by a part of a title (`PostStore.list`) also where one is yet to be looked for. */
  readonly next: After | null;
}
