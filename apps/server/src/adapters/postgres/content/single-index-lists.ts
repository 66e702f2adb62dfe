import { POST_STATUSES } from "@stet/contract";
import type { WebsiteId } from "#domain/ids";
import type { PostListQuery } from "#ports/content-store";
import type { After } from "#ports/list-page";
import { batchLookups } from "../batch-lookups.ts";
import type { Connection } from "./connection.ts";
import { keyset } from "./keyset.ts";
import { type Fragment, raw, sql } from "./sql.ts";

/** Pages are larger than rows by key: fewer of them make one answer. */
const MOST_TOGETHER = 10;

/** The part that lists have in common when one query reads them together. */
interface Shape {
  readonly columns: Fragment;
  readonly status: Fragment;
  readonly key: string;
  readonly direction: { readonly descending: boolean; readonly type: "timestamptz" | "text" };
  readonly most: Fragment;
}

interface Asked {
  readonly websiteId: WebsiteId;
  readonly after: After | null;
}

/** The condition on the status, where one index holds just this list in its order; null where several have to be merged. */
export function singleIndexStatus({ statuses, sort, ownOrPublished }: PostListQuery): Fragment | null {
  const wanted = new Set(statuses);
  // Everybody may see published posts.
  if (sort.endsWith("publishedAt")) return wanted.has("published") ? raw("status = 'published'") : null;
  if (ownOrPublished !== undefined) return null;
  if (wanted.size === 1) return raw(`status = '${POST_STATUSES.find((status) => wanted.has(status))}'`);
  const isAllButTrash = wanted.size === POST_STATUSES.length - 1 && !wanted.has("deleted");
  return isAllButTrash && sort.endsWith("editedAt") ? raw("status <> 'deleted'") : null;
}

/** Reads such lists: what every writer and every tool opens first. Those asked for at the same time come with one question. */
export function singleIndexLists(connection: Connection): <Row extends object>(shape: Shape, asked: Asked) => Promise<Row[]> {
  const asking = new Map<string, (asked: Asked) => Promise<object[] | null>>();

  const ask = ({ columns, status, key, direction, most }: Shape, goesOn: boolean) =>
    batchLookups(async (asked: readonly Asked[]) => {
      const each = (value: (asked: Asked) => string | undefined): Fragment => sql`(SELECT ${asked.map(value)}::text[])`;
      const after = goesOn ? { key: raw("asked_key"), id: raw("asked_id") } : null;
      const { condition, order } = keyset(after, key, "id", direction);
      const rows = await connection.prepared<{ nth: number }>(sql`
        SELECT nth, found.*
        FROM unnest(${each((asked) => asked.websiteId)}, ${each((asked) => asked.after?.key)}, ${each((asked) => asked.after?.id)})
          WITH ORDINALITY AS asked (asked_website, asked_key, asked_id, nth)
        CROSS JOIN LATERAL (
          SELECT ${columns}, ${raw(key)} AS key FROM posts
          WHERE website_id = asked_website AND ${status} AND ${condition}
          ORDER BY ${order} LIMIT ${most}
        ) AS found`);
      const lists: object[][] = asked.map(() => []);
      for (const row of rows) lists[row.nth - 1]!.push(row);
      return lists;
    }, MOST_TOGETHER);

  return async <Row extends object>(shape: Shape, asked: Asked) => {
    const goesOn = asked.after !== null;
    const name = JSON.stringify([shape, goesOn]);
    let list = asking.get(name);
    if (!list) asking.set(name, (list = ask(shape, goesOn)));
    return (await list(asked)) as Row[];
  };
}
