import type { RedirectJson } from "@stet/contract";
import { afterOf, collection, pageSize } from "./paging.ts";
import { cursor, limit } from "./parameters.ts";
import { readRoute } from "./read-route.ts";

const PAGING = { kind: "post", sort: "redirects" } as const;

/** Every former slug under which a published post is still found, by post. */
export const listRedirects = readRoute({
  path: "/blog/redirects",
  query: { limit, cursor },
  cached: true,
  async run({ content, website }, _params, query) {
    const size = pageSize(query.limit);
    const page = await content.posts.listPastSlugs(website.id, { after: afterOf(PAGING, query.cursor), limit: size });
    const owners = await content.claims.owners(
      website.id,
      "post",
      page.rows.map(({ slug }) => slug),
    );
    // As one post is found by its slug: what another post has taken over leads there.
    const leadingHere = page.rows.filter(({ slug, postId }) => owners.get(slug) === postId);
    const data = leadingHere.map(({ slug, currentSlug, postId }): RedirectJson => ({ from: slug, to: currentSlug, postId }));
    return { kind: "json", value: collection(data, PAGING, page.next, size) };
  },
});
