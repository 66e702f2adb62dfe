import type { Website } from "#domain/website";
import { readRoute } from "./read-route.ts";
import { FEED_QUERY, type FeedPost, feedPosts } from "./feed-posts.ts";
import { publicAddress } from "./public-address.ts";
import { postAddress } from "#present/post-address";
import { element, XML_START } from "./xml.ts";

export const rssFeed = readRoute({
  path: "/blog/feed.xml",
  query: FEED_QUERY,
  cached: true,
  async run(context, _params, query) {
    const address = publicAddress(context.website);
    const posts = await feedPosts(context, query);
    return { kind: "text", contentType: "application/rss+xml; charset=utf-8", text: rss(context.website, address, posts) };
  },
});

/** RSS 2.0 with whole posts. */
function rss({ settings, name }: Website, address: string, posts: readonly FeedPost[]): string {
  const title = settings.title || name;
  const newest = posts
    .map(({ post }) => post.updatedAt)
    .toSorted()
    .at(-1);
  const channel = [
    element("title", title),
    element("link", address),
    // The format demands one.
    element("description", settings.description || title),
    element("language", settings.language),
    ...(newest === undefined ? [] : [element("lastBuildDate", new Date(newest).toUTCString())]),
    ...posts.map((post) => item(post, address)),
  ];
  const namespaces = 'xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"';
  return `${XML_START}<rss version="2.0" ${namespaces}>\n<channel>\n${channel.join("\n")}\n</channel>\n</rss>\n`;
}

function item({ post, html }: FeedPost, address: string): string {
  const lines = [
    element("title", post.title),
    element("link", postAddress(address, post.slug)),
    // The id, not the address: a renamed post is not a new one.
    `<guid isPermaLink="false">${post.id}</guid>`,
    element("pubDate", new Date(post.publishedAt).toUTCString()),
    ...post.authors.map((author) => element("dc:creator", author.name)),
    ...[...post.categories, ...post.tags].map((term) => element("category", term.name)),
    element("description", post.excerpt),
    ...(html === null ? [] : [element("content:encoded", html)]),
  ];
  return `<item>\n${lines.join("\n")}\n</item>`;
}
