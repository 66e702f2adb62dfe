import { one, page, json, text } from "./answers.ts";
import type { Examples } from "./examples.ts";
import type { ReadRoute } from "./route.ts";

const PAGES = "To page, send `nextCursor` as `cursor` until it is null.";

/** Every address that a key can read, in the order of the reference. */
export function readRoutes(examples: Examples): readonly ReadRoute[] {
  return [
    {
      path: "/blog/posts",
      id: "listPosts",
      tag: "Posts",
      summary: "List posts",
      description: `Published posts, without their bodies. ${PAGES} Posts added or removed while you page cause no repeats and no gaps.`,
      parameters: ["limit", "cursor", "sort", "category", "tag", "author", "featured"],
      answers: page("PostSummary", examples.posts),
    },
    {
      path: "/blog/posts/{slugOrId}",
      id: "getPost",
      tag: "Posts",
      summary: "Read a post",
      description:
        "One published post with its body as Markdown and as sanitised HTML. A renamed post can be read by every slug it had: `slugRedirectedFrom` is then present, and you should redirect the reader to `slug`. With `Accept: text/markdown` the answer is the post as a Markdown document.",
      parameters: ["slugOrId", "format"],
      answers: {
        ...one("Post", examples.post),
        ...text("text/markdown", "# Slow bread\n\n## Day one\n\nMix flour and water, and *wait*.\n"),
      },
    },
    ...terms("categories", "category", "ListedCategory", "Categories", examples.categories, examples.category),
    ...terms("tags", "tag", "ListedTag", "Tags", examples.tags, examples.tag),
    ...terms("authors", "author", "ListedAuthor", "Authors", examples.authors, examples.author),
    {
      path: "/blog/media",
      id: "listMedia",
      tag: "Media",
      summary: "List images",
      description: `Images used by published posts, newest first. ${PAGES}`,
      parameters: ["limit", "cursor", "sortMedia"],
      answers: page("Media", examples.mediaList),
    },
    {
      path: "/blog/media/{id}",
      id: "getMedia",
      tag: "Media",
      summary: "Read an image",
      description: "One image used by a published post. The file is at `url`.",
      parameters: ["mediaId"],
      answers: one("Media", examples.media),
    },
    {
      path: "/blog/search",
      id: "searchPosts",
      tag: "Search",
      summary: "Search posts",
      description: `Full-text search over published posts, best first: the title counts most, then the excerpt, then the body. Accents do not matter, the last word may be unfinished, small typing errors are forgiven. Highlights are HTML in which only \`<mark>\` is markup. Not on the free plan. ${PAGES}`,
      parameters: ["q", "limit", "cursor"],
      answers: page("SearchHit", examples.search),
      errors: ["PLAN_REQUIRED"],
    },
    {
      path: "/blog/posts/{slugOrId}/views",
      id: "getPostViews",
      tag: "Readers",
      summary: "Read a post's views",
      description:
        "How often a published post was read. One visitor is counted once in 30 minutes; bots and visitors who asked not to be tracked are not.",
      parameters: ["slugOrId"],
      answers: one("PostViews", examples.postViews),
    },
    {
      path: "/blog/views",
      id: "listMostRead",
      tag: "Readers",
      summary: "List the most read posts",
      description: `Published posts that were read in the period, most read first; for a number of days at most the first 1000, recounted every minute. ${PAGES} Keep the period while paging.`,
      parameters: ["period", "limit", "cursor"],
      answers: page("MostRead", examples.mostRead),
    },
    {
      path: "/blog/changes",
      id: "listChanges",
      tag: "Changes",
      summary: "List changes",
      description:
        "What was published, updated, renamed or removed since a cursor, in the order it was saved, so that a site can update instead of rebuild. Without `since`, or when the cursor is too old (90 days), `reset` is true: read all posts, then continue from `cursor`. `fingerprint` tells whether anything else changed that readers see, such as the name of a tag.",
      parameters: ["since", "limit"],
      answers: json("Changes", examples.changes),
    },
    {
      path: "/blog/redirects",
      id: "listRedirects",
      tag: "Changes",
      summary: "List redirects",
      description: `Every former slug of the published posts, and the slug to redirect readers to, so that a site built from nothing has its redirects. ${PAGES}`,
      parameters: ["limit", "cursor"],
      answers: page("Redirect", examples.redirects),
    },
    {
      path: "/blog/website",
      id: "getWebsite",
      tag: "About",
      summary: "Read the website",
      description: "Title, description, language and public address of the website that the key belongs to, and its custom fields.",
      parameters: [],
      answers: one("Website", examples.website),
    },
    ...feeds(),
  ];
}

function terms(plural: string, word: string, schema: string, tag: string, list: unknown, single: unknown): readonly ReadRoute[] {
  const name = plural.charAt(0).toUpperCase() + plural.slice(1);
  return [
    {
      path: `/blog/${plural}`,
      id: `list${name}`,
      tag,
      summary: `List ${plural}`,
      description: `${name} that a published post shows, by name, with how many posts do. ${PAGES}`,
      parameters: ["limit", "cursor", "sortName"],
      answers: page(schema, list),
    },
    {
      path: `/blog/${plural}/{slug}`,
      id: `get${word.charAt(0).toUpperCase()}${word.slice(1)}`,
      tag,
      summary: `Read ${word === "author" ? "an" : "a"} ${word}`,
      description: `One ${word} that a published post shows. A renamed one can also be read by its old slugs, with \`slugRedirectedFrom\`. List its posts with \`/blog/posts?${word}=\`.`,
      parameters: ["slug"],
      answers: one(schema, single),
    },
  ];
}

/** Ready to be passed on by the website's own server, which keeps the key. */
function feeds(): readonly ReadRoute[] {
  const about = "Needs the website's public address in its settings. Serve it from your own site: feed readers have no key.";
  const feed = (
    file: string,
    id: string,
    summary: string,
    words: string,
    answers: ReadRoute["answers"],
    parameters: ReadRoute["parameters"],
  ): ReadRoute => ({
    path: `/blog/${file}`,
    id,
    tag: "Feeds",
    summary,
    description: `${words} ${about}`,
    parameters,
    answers,
    errors: ["VALIDATION_FAILED"],
  });
  const narrowed = ["limit", "category", "tag", "author"] as const;
  return [
    feed(
      "feed.xml",
      "getRssFeed",
      "RSS feed",
      "The newest posts as RSS 2.0, in full.",
      text("application/rss+xml", '<?xml version="1.0" encoding="utf-8"?>\n<rss version="2.0">…</rss>\n'),
      narrowed,
    ),
    feed(
      "feed.json",
      "getJsonFeed",
      "JSON feed",
      "The newest posts as JSON Feed 1.1, in full.",
      {
        "application/feed+json": {
          schema: { type: "object" },
          examples: { example: { value: { version: "https://jsonfeed.org/version/1.1", title: "The slow kitchen", items: [] } } },
        },
      },
      narrowed,
    ),
    feed(
      "sitemap.xml",
      "getSitemap",
      "Sitemap",
      "Every post that search engines may index; a large blog returns a sitemap index.",
      text(
        "application/xml",
        '<?xml version="1.0" encoding="utf-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">…</urlset>\n',
      ),
      ["cursor"],
    ),
    feed(
      "llms.txt",
      "getLlmsTxt",
      "llms.txt",
      "The blog in brief, for language models.",
      text(
        "text/plain",
        "# The slow kitchen\n\n- [Slow bread](https://example.com/blog/slow-bread): Flour, water, salt and a day of patience.\n",
      ),
      [],
    ),
  ];
}
