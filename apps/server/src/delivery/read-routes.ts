import { listChanges } from "./changes.ts";
import type { ReadRoute } from "./read-route.ts";
import { getPost } from "./get-post.ts";
import { jsonFeed } from "./json-feed.ts";
import { listPosts } from "./list-posts.ts";
import { llmsTxt } from "./llms-txt.ts";
import { getMedia, listMedia } from "./media.ts";
import { listRedirects } from "./redirects.ts";
import { rssFeed } from "./rss-feed.ts";
import { searchPosts } from "./search.ts";
import { sitemapRoute } from "./sitemap.ts";
import { termRoutes } from "./terms.ts";
import { getPostViews, listMostRead } from "./views.ts";
import { getWebsite } from "./website.ts";

/** Every address a key can read, as the router serves it and the OpenAPI document describes it. */
export const readRoutes: readonly ReadRoute[] = [
  listPosts,
  getPost,
  ...termRoutes("category", "categories"),
  ...termRoutes("tag", "tags"),
  ...termRoutes("author", "authors"),
  listMedia,
  getMedia,
  searchPosts,
  getPostViews,
  listMostRead,
  listChanges,
  listRedirects,
  getWebsite,
  rssFeed,
  jsonFeed,
  sitemapRoute(),
  llmsTxt,
];
