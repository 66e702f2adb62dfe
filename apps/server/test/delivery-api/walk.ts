import type { Answer } from "./request.ts";
import type { Blog } from "./service.ts";

type Item = Record<string, unknown>;

/** Every item of a list, page by page, as a client reads everything. The path has a query already. */
export async function walk(blog: Pick<Blog, "get">, path: string): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const page: Answer = await blog.get(cursor === null ? path : `${path}&cursor=${cursor}`);
    const { data, pagination } = page.json;
    items.push(...data);
    cursor = pagination.nextCursor;
    if (items.length > 10_000) throw new Error(`${path} never ends.`);
  } while (cursor);
  return items;
}
