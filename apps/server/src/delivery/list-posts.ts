import { readRoute } from "./read-route.ts";
import { listLive, TERM_FILTERS } from "./live-list.ts";
import { afterOf, collection, pageSize } from "./paging.ts";
import { cursor, DEFAULT_POST_SORT, featured, limit, postSort } from "./parameters.ts";
import { sourceOf } from "./source-of.ts";
import { presentPosts } from "#present/posts";

export const listPosts = readRoute({
  path: "/blog/posts",
  query: { limit, cursor, sort: postSort, ...TERM_FILTERS, featured },
  cached: true,
  async run(context, _params, query) {
    const sort = query.sort ?? DEFAULT_POST_SORT;
    const paging = { kind: "post", sort } as const;
    const size = pageSize(query.limit);
    const page = await listLive(context, query, {
      sort,
      after: afterOf(paging, query.cursor),
      limit: size,
      ...(query.featured !== undefined && { featured: query.featured }),
    });
    const data = await presentPosts(sourceOf(context), page.rows);
    return { kind: "json", value: collection(data, paging, page.next, size) };
  },
});
