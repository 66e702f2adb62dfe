import type { PostSort } from "@stet/contract";
import { fold } from "#domain/fold";
import type { Post } from "#domain/post";
import type { ListSort } from "#ports/content-store";
import type { After, ListPage } from "#ports/list-page";

/** UTF-8 bytes compare as code points do; JavaScript's `<` compares UTF-16 units and puts 😀 before U+E000. */
export const compareCodePoints = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** The sort value of a post: what a list orders by and what `next.key` holds. */
export function listKey(post: Post, sort: ListSort): string {
  if (sort.endsWith("title")) return fold(post.working.title);
  if (sort.endsWith("publishedAt")) return post.live!.publishedAt;
  return sort.endsWith("editedAt") ? post.editedAt : post.createdAt;
}

export function liveKey(post: Post, sort: PostSort): string {
  const live = post.live!;
  if (sort.endsWith("title")) return fold(live.content.title);
  if (sort.endsWith("createdAt")) return post.createdAt;
  return sort.endsWith("updatedAt") ? live.updatedAt : live.publishedAt;
}

/** The order every engine must give: by the sort value, then by id; a descending sort is the exact reverse. */
export function inOrder<Row extends { readonly id: string }, Sort extends string>(
  rows: readonly Row[],
  sort: Sort,
  keyOf: (row: Row, sort: Sort) => string,
): Row[] {
  const direction = sort.startsWith("-") ? -1 : 1;
  return rows.toSorted((a, b) => direction * (compareCodePoints(keyOf(a, sort), keyOf(b, sort)) || compareCodePoints(a.id, b.id)));
}

/** Reads every page. A cursor that does not move on would loop for ever: it ends after `maxPages` with an error. */
export async function walk<Row>(read: (after: After | null) => Promise<ListPage<Row>>, maxPages = 2_000): Promise<ListPage<Row>[]> {
  const pages: ListPage<Row>[] = [];
  let after: After | null = null;
  do {
    if (pages.length >= maxPages) throw new Error(`Still not at the end after ${maxPages} pages.`);
    const page: ListPage<Row> = await read(after);
    pages.push(page);
    after = page.next;
  } while (after);
  return pages;
}

export const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map((row) => row.id);
export const rowsOf = <Row>(pages: readonly ListPage<Row>[]): Row[] => pages.flatMap((page) => page.rows);
