import type { PostJson, PostSummaryJson } from "@stet/contract";
import type { PostId } from "#domain/ids";
import type { LivePostWithBody, PostSnapshot } from "#domain/post";
import { absoluteImages, absoluteUrl } from "#domain/absolute-urls";
import type { ContentSource } from "./content-source.ts";
import { type Images, loadImages } from "./media.ts";
import { loadTerms, presentAuthor, presentTerm, type Terms } from "./terms.ts";

/** A live post, or the snapshot of one that an event carries, with its id. */
export interface Presentable extends PostSnapshot {
  readonly id: PostId;
}

/** Posts as lists, search, feeds and webhooks show them: taxonomy, authors and images embedded as they are now. */
export async function presentPosts(source: ContentSource, posts: readonly Presentable[]): Promise<PostSummaryJson[]> {
  const terms = await loadTerms(
    source,
    posts.flatMap(({ content }) => [...content.categoryIds, ...content.tagIds, ...content.authorIds]),
  );
  const avatars = posts.flatMap(({ content }) =>
    terms.of("author", content.authorIds).map((author) => author.profile?.avatarMediaId ?? null),
  );
  const images = await loadImages(source, [...posts.map(({ content }) => content.coverMediaId), ...avatars]);
  return posts.map((post) => summaryOf(post, terms, images, source.publicUrl));
}

function summaryOf(post: Presentable, terms: Terms, images: Images, publicUrl: string): PostSummaryJson {
  const { content } = post;
  const { title, description, canonicalUrl, ogImageUrl, noindex } = content.seo;
  return {
    id: post.id,
    slug: content.slug,
    title: content.title,
    excerpt: content.excerpt,
    coverImage: images.get(content.coverMediaId, content.coverAlt),
    categories: terms.of("category", content.categoryIds).map(presentTerm),
    tags: terms.of("tag", content.tagIds).map(presentTerm),
    authors: terms.of("author", content.authorIds).map((author) => presentAuthor(author, images)),
    featured: content.featured,
    seo: { title, description, canonicalUrl, ogImageUrl: ogImageUrl && absoluteUrl(ogImageUrl, publicUrl), noindex },
    readingMinutes: post.readingMinutes,
    wordCount: post.wordCount,
    fields: content.fields as PostSummaryJson["fields"],
    publishedAt: post.publishedAt,
    createdAt: post.createdAt,
    updatedAt: post.updatedAt,
  };
}

export const BODY_FORMATS = ["html", "markdown"] as const;
export type BodyFormat = (typeof BODY_FORMATS)[number];

export interface PresentableWithBody extends Presentable, Pick<LivePostWithBody, "body" | "rendering"> {}

/** One post with its body, in one form or, without a format, in both. Headings belong to the HTML: their ids stand in it. */
export async function presentPost(source: ContentSource, post: PresentableWithBody, format?: BodyFormat): Promise<PostJson> {
  const [summary] = await presentPosts(source, [post]);
  const text = (body: string) => absoluteImages(body, source.websiteId, source.publicUrl);
  return {
    ...summary!,
    body: {
      ...(format !== "html" && { markdown: text(post.body) }),
      ...(format !== "markdown" && {
        html: text(post.rendering.html),
        headings: post.rendering.headings.map(({ id, depth, text: words }) => ({ id, depth, text: words })),
      }),
    },
  };
}
