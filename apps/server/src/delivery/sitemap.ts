import { encodeCursor } from "#domain/cursor";
import type { LivePost } from "#domain/post";
import type { After, ListPage } from "#ports/content-store";
import { type RouteAnswer, type ReadContext, type ReadRoute, readRoute } from "./read-route.ts";
import { afterOf } from "./paging.ts";
import { cursor } from "./parameters.ts";
import { postAddress, publicAddress } from "./public-address.ts";
import { element, XML_START } from "./xml.ts";

const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
/** By creation, which never changes: a post stays in the file it is in, and new ones go to the last. */
const PAGING = { kind: "post", sort: "createdAt" } as const;
/** Before every post: the first file of an index needs a cursor too. */
const START: After = { key: "0001-01-01T00:00:00.000Z", id: `post_${"0".repeat(26)}` };
/** Posts are read whole, and reading them keeps the thread busy: not for long at a time. */
const ROWS_PER_READ = 250;

/**
 * Every published post but those with `noindex`. One file holds 50,000 at most (the protocol's limit): with more posts the
 * address answers an index of files, which are the same address with a `cursor`.
 */
export function sitemapRoute(urlsPerFile = 50_000): ReadRoute {
  return readRoute({
    path: "/blog/sitemap.xml",
    query: { cursor },
    cached: true,
    async run(context, _params, query) {
      const address = publicAddress(context.website);
      const first = await readFile(context, address, afterOf(PAGING, query.cursor), urlsPerFile);
      if (query.cursor !== undefined || first.next === null) return xml(`<urlset ${NAMESPACE}>`, first.urls, "</urlset>");
      const starts = [START];
      for (let next: After | null = first.next; next; next = (await readFile(context, address, next, urlsPerFile)).next) starts.push(next);
      const files = starts.map((start) => {
        const file = `${address}/sitemap.xml?cursor=${encodeCursor(PAGING.sort, start)}`;
        return `<sitemap>${element("loc", file)}</sitemap>`;
      });
      return xml(`<sitemapindex ${NAMESPACE}>`, files, "</sitemapindex>");
    },
  });
}

/** The lines of one file, and where the next begins. */
async function readFile(
  { content, website }: ReadContext,
  address: string,
  start: After | null,
  count: number,
): Promise<{ urls: string[]; next: After | null }> {
  const urls: string[] = [];
  let next = start;
  let read = 0;
  do {
    const limit = Math.min(ROWS_PER_READ, count - read);
    const page: ListPage<LivePost> = await content.posts.listLive(website.id, { sort: PAGING.sort, after: next, limit });
    for (const { content: post, updatedAt } of page.rows) {
      if (post.seo.noindex) continue;
      urls.push(`<url>${element("loc", postAddress(address, post.slug))}${element("lastmod", updatedAt)}</url>`);
    }
    read += limit;
    next = page.next;
  } while (next && read < count);
  return { urls, next };
}

const xml = (open: string, lines: readonly string[], close: string): RouteAnswer => ({
  kind: "text",
  contentType: "application/xml; charset=utf-8",
  text: `${XML_START}${[open, ...lines, close].join("\n")}\n`,
});
