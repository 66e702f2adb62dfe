import { encodeCursor } from "#domain/cursor";
import type { PostAddress } from "#ports/live-posts";
import type { After, ListPage } from "#ports/list-page";
import { type RouteAnswer, type ReadContext, type ReadRoute, readRoute } from "./read-route.ts";
import { afterOf } from "./paging.ts";
import { cursor } from "./parameters.ts";
import { publicAddress } from "./public-address.ts";
import { postAddress } from "#present/post-address";
import { element, XML_START } from "./xml.ts";

const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
/** By creation, which never changes: a post stays in the file it is in, and new ones go to the last. */
const PAGING = { kind: "post", sort: "createdAt" } as const;
/** Before every post: the first file of an index needs a cursor too. */
const START: After = { key: "0001-01-01T00:00:00.000Z", id: `post_${"0".repeat(26)}` };
const ROWS_PER_READ = 2_000;
/** Fifty million posts. A customer's database can say without end that there are more. */
const MOST_FILES = 1_000;

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
      const start = afterOf(PAGING, query.cursor);
      const starts = query.cursor === undefined ? await startsOf(context, urlsPerFile) : [];
      if (starts.length < 2) return xml(`<urlset ${NAMESPACE}>`, await urlsOf(context, address, start, urlsPerFile), "</urlset>");
      const files = starts.map((first) => {
        const file = `${address}/sitemap.xml?cursor=${encodeCursor(PAGING.sort, first)}`;
        return `<sitemap>${element("loc", file)}</sitemap>`;
      });
      return xml(`<sitemapindex ${NAMESPACE}>`, files, "</sitemapindex>");
    },
  });
}

/** Where each file begins. The posts themselves are not read for it: an index of a million has to be made in no time. */
async function startsOf({ content, website }: ReadContext, count: number): Promise<readonly After[]> {
  const starts = [START];
  while (starts.length < MOST_FILES) {
    const next = await content.posts.skipLive(website.id, starts.at(-1)!, count);
    if (!next) break;
    starts.push(next);
  }
  return starts;
}

/** The lines of one file. */
async function urlsOf({ content, website }: ReadContext, address: string, start: After | null, count: number): Promise<string[]> {
  const urls: string[] = [];
  let next = start;
  let read = 0;
  do {
    const limit = Math.min(ROWS_PER_READ, count - read);
    const page: ListPage<PostAddress> = await content.posts.listAddresses(website.id, { after: next, limit });
    for (const { slug, updatedAt, noindex } of page.rows) {
      if (!noindex) urls.push(`<url>${element("loc", postAddress(address, slug))}${element("lastmod", updatedAt)}</url>`);
    }
    read += limit;
    next = page.next;
  } while (next && read < count);
  return urls;
}

const xml = (open: string, lines: readonly string[], close: string): RouteAnswer => ({
  kind: "text",
  contentType: "application/xml; charset=utf-8",
  text: `${XML_START}${[open, ...lines, close].join("\n")}\n`,
});
