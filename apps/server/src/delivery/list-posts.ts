import { readRoute } from "./read-route.ts";
import { listReady, TERM_FILTERS } from "./live-list.ts";
import { afterOf, pageSize, readyCollection } from "./paging.ts";
import { cursor, DEFAULT_POST_SORT, featured, limit, postSort } from "./parameters.ts";

export const listPosts = readRoute({
  path: "/blog/posts",
  query: { limit, cursor, sort: postSort, ...TERM_FILTERS, featured },
  cached: true,
  async run(context, _params, query) {
    const sort = query.sort ?? DEFAULT_POST_SORT;
    const paging = { kind: "post", sort } as const;
    const size = pageSize(query.limit);
    const page = await listReady(context, query, {
      sort,
      after: afterOf(paging, query.cursor),
      limit: size,
      ...(query.featured !== undefined && { featured: query.featured }),
    });
    return readyCollection(page.rows, paging, page.next, size);
  },
});
