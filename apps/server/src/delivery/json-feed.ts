import { readRoute } from "./read-route.ts";
import { FEED_QUERY, type FeedPost, feedPosts } from "./feed-posts.ts";
import { publicAddress } from "./public-address.ts";
import { postAddress } from "#present/post-address";

export const jsonFeed = readRoute({
  path: "/blog/feed.json",
  query: FEED_QUERY,
  cached: true,
  async run(context, _params, query) {
    const address = publicAddress(context.website);
    const { settings, name } = context.website;
    const posts = await feedPosts(context, query);
    const feed = {
      version: "https://jsonfeed.org/version/1.1",
      title: settings.title || name,
      home_page_url: address,
      ...(settings.description && { description: settings.description }),
      language: settings.language,
      items: posts.map((post) => item(post, address)),
    };
    return { kind: "text", contentType: "application/feed+json; charset=utf-8", text: JSON.stringify(feed) };
  },
});

/** JSON Feed 1.1: an item has some content, at least its text. */
function item({ post, html }: FeedPost, address: string) {
  return {
    id: post.id,
    url: postAddress(address, post.slug),
    title: post.title,
    ...(html === null ? { content_text: post.excerpt } : { content_html: html }),
    ...(post.excerpt && { summary: post.excerpt }),
    ...(post.coverImage && { image: post.coverImage.url }),
    date_published: post.publishedAt,
    date_modified: post.updatedAt,
    authors: post.authors.map(({ name, url, avatar }) => ({ name, ...(url && { url }), ...(avatar && { avatar: avatar.url }) })),
    tags: [...post.categories, ...post.tags].map((term) => term.name),
  };
}
