/** Compares as PostgreSQL does under the C collation: nodes that lock rows in one order cannot wait for each other in a ring. */
export const compareText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

/**
 * How many of `items` have each key, or what they count for, in the order of the keys and ready for `unnest`: one column for each part,
 * then the sums. There must be an item.
 */
export function sumBy<Item, Key extends readonly (string | number)[]>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
  countOf: (item: Item) => number = () => 1,
): { readonly columns: unknown[][] } {
  const sums = new Map<string, { key: Key; count: number }>();
  for (const item of items) {
    const key = keyOf(item);
    const text = key.join(" ");
    const sum = sums.get(text);
    if (sum) sum.count += countOf(item);
    else sums.set(text, { key, count: countOf(item) });
  }
  const sorted = [...sums].toSorted(([left], [right]) => compareText(left, right)).map(([, sum]) => sum);
  const width = sorted[0]?.key.length ?? 0;
  return { columns: [...Array.from({ length: width }, (_, part) => sorted.map((sum) => sum.key[part])), sorted.map((sum) => sum.count)] };
}
