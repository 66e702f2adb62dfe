import type {
  ChangesJson,
  CollectJson,
  PaginationJson,
  PostJson,
  PostSummaryJson,
  PreviewPostJson,
  PublicAuthor,
  PublicCategory,
  PublicImage,
  PublicTag,
  RedirectJson,
  SearchHitJson,
  WebsiteJson,
} from "../delivery.ts";
import type { WebhookEventJson } from "../webhook-event.ts";

/** One small blog that all examples are about. The test holds each against the schema it illustrates. */

const ID = "01h455vb4pex5vsknk084sn02q";

export function examplesAt(publicUrl: string) {
  const imageUrl = `${publicUrl}/media/site_${ID}/media_${ID}.jpg`;
  const image: PublicImage = {
    id: `media_${ID}`,
    url: imageUrl,
    alt: "A round loaf on a wooden board",
    width: 1600,
    height: 1067,
    blurhash: "LEHV6nWB2yk8pyo0adR*.7kCMdnj",
    dominantColor: "#b88858",
    focalPoint: { x: 0.5, y: 0.4 },
    srcset: `${imageUrl}?w=320 320w, ${imageUrl}?w=640 640w, ${imageUrl}?w=1600 1600w`,
  };
  const category: PublicCategory = { id: `cat_${ID}`, slug: "baking", name: "Baking", description: "What comes out of the oven." };
  const tag: PublicTag = { id: `tag_${ID}`, slug: "sourdough", name: "Sourdough", description: "" };
  const author: PublicAuthor = {
    id: `author_${ID}`,
    slug: "ada-miller",
    name: "Ada Miller",
    description: "Bakes on Sundays.",
    url: "https://ada.example",
    avatar: null,
  };
  const summary: PostSummaryJson = {
    id: `post_${ID}`,
    slug: "slow-bread",
    title: "Slow bread",
    excerpt: "Flour, water, salt and a day of patience.",
    coverImage: image,
    categories: [category],
    tags: [tag],
    authors: [author],
    featured: true,
    seo: { title: null, description: null, canonicalUrl: null, ogImageUrl: null, noindex: false },
    readingMinutes: 4,
    wordCount: 812,
    fields: { difficulty: "easy" },
    url: "https://example.com/blog/slow-bread",
    publishedAt: "2026-11-15T09:30:00.000Z",
    createdAt: "2026-11-12T17:05:41.220Z",
    updatedAt: "2026-11-15T09:30:00.000Z",
  };
  const post: PostJson = {
    ...summary,
    body: {
      markdown: "## Day one\n\nMix flour and water, and *wait*.",
      html: '<h2 id="h-day-one">Day one</h2>\n<p>Mix flour and water, and <em>wait</em>.</p>\n',
      headings: [{ id: "h-day-one", depth: 2, text: "Day one" }],
    },
  };
  const cursor =
    "eyJ2IjoxLCJzIjoiLXB1Ymxpc2hlZEF0IiwiayI6IjIwMjYtMTEtMTVUMDk6MzA6MDAuMDAwWiIsImlkIjoicG9zdF8wMWg0NTV2YjRwZXg1dnNrbmswODRzbjAycSJ9";
  const pagination: PaginationJson = { hasNext: true, nextCursor: cursor, limit: 25 };
  const last: PaginationJson = { hasNext: false, nextCursor: null, limit: 25 };
  const hit: SearchHitJson = {
    post: summary,
    highlights: { title: "Slow <mark>bread</mark>", excerpt: "Flour, water, salt and a day of patience." },
  };
  const changes: ChangesJson = {
    data: [{ type: "updated", postId: `post_${ID}`, slug: "slow-bread", previousSlug: "bread", at: "2026-11-15T10:02:11.004Z" }],
    cursor: "eyJ2IjoxLCJzIjoiY2hhbmdlcyIsImsiOiI3IiwiaWQiOiJldnRfMDFoNDU1dmI0cGV4NXZza25rMDg0c24wMnEifQ",
    reset: false,
    fingerprint: "9f2c41d07be85a36",
    pagination: last,
  };
  const redirect: RedirectJson = { from: "bread", to: "slow-bread", postId: `post_${ID}` };
  const website: WebsiteJson = {
    id: `site_${ID}`,
    title: "The slow kitchen",
    description: "Food that takes its time.",
    language: "en",
    url: "https://example.com/blog",
    fields: [{ key: "difficulty", label: "Difficulty", type: "select", options: ["easy", "hard"], required: false }],
  };
  const event: WebhookEventJson = {
    id: `evt_${ID}`,
    type: "post.updated",
    apiVersion: "v1",
    createdAt: "2026-11-15T10:02:11.004Z",
    website: { id: `site_${ID}`, name: "The slow kitchen" },
    actor: { type: "user", id: `user_${ID}` },
    data: { post: summary, version: 7, status: "published", previousSlug: "bread", changed: ["slug", "title"] },
  };
  const preview: PreviewPostJson = { ...post, status: "draft", expiresAt: "2026-11-15T10:30:00.000Z" };
  const collect: CollectJson = { website: `site_${ID}`, post: "slow-bread", referrer: "https://news.example/today" };
  return {
    post: { data: post },
    posts: { data: [summary], pagination },
    category: { data: { ...category, postCount: 12, formerSlugs: ["guides"] } },
    categories: { data: [{ ...category, postCount: 12, formerSlugs: ["guides"] }], pagination: last },
    tag: { data: { ...tag, postCount: 7, formerSlugs: [] } },
    tags: { data: [{ ...tag, postCount: 7, formerSlugs: [] }], pagination: last },
    author: { data: { ...author, postCount: 21, formerSlugs: [] } },
    authors: { data: [{ ...author, postCount: 21, formerSlugs: [] }], pagination: last },
    media: { data: { ...image, filename: "loaf.jpg", contentType: "image/jpeg", bytes: 248_113, createdAt: "2026-11-12T17:01:09.118Z" } },
    mediaList: {
      data: [{ ...image, filename: "loaf.jpg", contentType: "image/jpeg", bytes: 248_113, createdAt: "2026-11-12T17:01:09.118Z" }],
      pagination: last,
    },
    search: { data: [hit], pagination: last },
    postViews: { data: { postId: `post_${ID}`, views: { "7d": 214, "30d": 1_180, "90d": 3_022, all: 9_417 } } },
    mostRead: { data: [{ post: summary, views: 1_180 }], pagination: last },
    changes,
    redirects: { data: [redirect], pagination: last },
    website: { data: website },
    event,
    preview: { data: preview },
    collect,
  };
}

export type Examples = ReturnType<typeof examplesAt>;
