import type { PostJson, PostSummaryJson } from "@stet/contract";
import type { MediaId, PostId } from "#domain/ids";
import type { LivePostWithBody, PostSnapshot } from "#domain/post";
import { absoluteImages, absoluteUrl } from "#domain/absolute-urls";
import { mediaIdsIn, presentBody } from "./body-images.ts";
import type { ContentSource } from "./content-source.ts";
import { type Images, loadImages } from "./media.ts";
import { postAddress } from "./post-address.ts";
import { loadTerms, presentAuthor, presentTerm, type Terms } from "./terms.ts";

/** A live post, or the snapshot of one that an event carries, with its id. */
export interface Presentable extends PostSnapshot {
  readonly id: PostId;
}

/** Posts as lists, search, feeds and webhooks show them: taxonomy, authors and images embedded as they are now. */
export async function presentPosts(source: ContentSource, posts: readonly Presentable[]): Promise<PostSummaryJson[]> {
  return (await loadPosts(source, posts, [])).summaries;
}

/** Also the images of a body: one look-up finds them with the others. */
async function loadPosts(source: ContentSource, posts: readonly Presentable[], inBody: readonly MediaId[]) {
  const terms = await loadTerms(
    source,
    posts.flatMap(({ content }) => [...content.categoryIds, ...content.tagIds, ...content.authorIds]),
  );
  const avatars = posts.flatMap(({ content }) =>
    terms.of("author", content.authorIds).map((author) => author.profile?.avatarMediaId ?? null),
  );
  const images = await loadImages(source, [...posts.map(({ content }) => content.coverMediaId), ...avatars, ...inBody]);
  return { summaries: posts.map((post) => summaryOf(post, terms, images, source)), images };
}

function summaryOf(post: Presentable, terms: Terms, images: Images, { publicUrl, websiteUrl }: ContentSource): PostSummaryJson {
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
    url: websiteUrl && postAddress(websiteUrl, content.slug),
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
  const html = format === "markdown" ? null : post.rendering.html;
  const { summaries, images } = await loadPosts(source, [post], html === null ? [] : mediaIdsIn(html, source.websiteId));
  return {
    ...summaries[0]!,
    body: {
      ...(format !== "html" && { markdown: absoluteImages(post.body, source.websiteId, source.publicUrl) }),
      ...(html !== null && {
        html: presentBody(source, html, images),
        headings: post.rendering.headings.map(({ id, depth, text: words }) => ({ id, depth, text: words })),
      }),
    },
  };
}
