import { z } from "zod";
import { FIELD_TYPES, POST_STATUSES } from "./lists.ts";

/** The public shapes of the delivery API. What validates answers in the tests also describes them in the OpenAPI document. */

const timestamp = z
  .string()
  .datetime({ precision: 3 })
  .meta({ description: "UTC, ISO 8601 with milliseconds.", examples: ["2026-11-15T09:30:00.000Z"] });
const id = (prefix: string) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`))
    .meta({ examples: [`${prefix}_01h455vb4pex5vsknk084sn02q`] });
const slug = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
  .max(96);

export const publicImage = z
  .strictObject({
    id: id("media"),
    url: z.string().meta({
      description: "Where its bytes are. Takes `?w=`, `&ar=` and `&fm=` for other sizes. An image that is edited gets another address.",
    }),
    alt: z.string().meta({ description: "Describes the image for people who cannot see it." }),
    width: z.int(),
    height: z.int(),
    blurhash: z.string().nullable().meta({ description: "A short code for a blurred placeholder while the image loads." }),
    dominantColor: z
      .string()
      .regex(/^#[0-9a-f]{6}$/)
      .nullable()
      .meta({ description: "The color that most of the image has, such as `#a1b2c3`, to fill its place while it loads." }),
    focalPoint: z
      .strictObject({ x: z.number().min(0).max(1), y: z.number().min(0).max(1) })
      .nullable()
      .meta({
        description:
          "What should stay in sight when the image is cropped, as shares of its width and height, for `object-position`. `ar` crops around it. Null: the middle.",
      }),
    srcset: z.string().nullable().meta({
      description:
        "Smaller versions for the `srcset` of an `<img>`, as WebP; put your own `sizes` beside it. Null for GIFs and for images that are small already.",
    }),
  })
  .meta({ id: "Image" });

const termFields = { id: z.string(), slug, name: z.string(), description: z.string() };
export const publicCategory = z.strictObject({ ...termFields, id: id("cat") }).meta({ id: "Category" });
export const publicTag = z.strictObject({ ...termFields, id: id("tag") }).meta({ id: "Tag" });
export const publicAuthor = z
  .strictObject({ ...termFields, id: id("author"), url: z.string().nullable(), avatar: publicImage.nullable() })
  .meta({ id: "Author" });

const listed = {
  postCount: z.int().min(1).meta({ description: "Published posts that show it." }),
  formerSlugs: z.array(slug).meta({ description: "Slugs that lead here: those it had before, and those of what was merged into it." }),
  slugRedirectedFrom: z.string().optional().meta({ description: "Present when it was requested by an old slug." }),
};
export const listedCategory = publicCategory.extend(listed).meta({ id: "ListedCategory" });
export const listedTag = publicTag.extend(listed).meta({ id: "ListedTag" });
export const listedAuthor = publicAuthor.extend(listed).meta({ id: "ListedAuthor" });

export const publicSeo = z
  .strictObject({
    title: z.string().nullable(),
    description: z.string().nullable(),
    canonicalUrl: z.string().nullable(),
    ogImageUrl: z.string().nullable(),
    noindex: z.boolean(),
  })
  .meta({ id: "Seo" });

export const postSummary = z
  .strictObject({
    id: id("post"),
    slug,
    title: z.string(),
    excerpt: z.string().meta({ description: "A few sentences, plain text." }),
    coverImage: publicImage.nullable(),
    categories: z.array(publicCategory),
    tags: z.array(publicTag),
    authors: z.array(publicAuthor),
    featured: z.boolean().meta({ description: "Marked as featured by the editors." }),
    seo: publicSeo,
    readingMinutes: z.int(),
    wordCount: z.int(),
    fields: z.record(z.string(), z.json()).meta({ description: "Values of the fields that the website's owner defined." }),
    url: z
      .string()
      .nullable()
      .meta({ description: "Where readers find the post: the website's public address and the slug. Null while the website has none." }),
    publishedAt: timestamp.meta({ description: "The first publication, or the date the writer chose." }),
    createdAt: timestamp.meta({ description: "When the post was created." }),
    updatedAt: timestamp.meta({ description: "The last change that readers can see." }),
  })
  .meta({ id: "PostSummary" });

export const postBody = z
  .strictObject({
    markdown: z
      .string()
      .optional()
      .meta({ description: "As it was written: CommonMark with tables, footnotes, directives and captions of images." }),
    html: z.string().optional().meta({
      description:
        'Rendered from the Markdown and sanitised: safe to insert into a page. Images of the website carry `srcset`, `sizes`, `width` and `height`; one with a caption, or wider than the text, is in a `<figure class="stet-figure">`.',
    }),
    headings: z.array(z.strictObject({ id: z.string(), depth: z.int(), text: z.string() })).optional(),
  })
  .meta({ id: "PostBody" });

export const publicPost = postSummary
  .extend({
    body: postBody,
    slugRedirectedFrom: z
      .string()
      .optional()
      .meta({ description: "Present when the post was requested by an old slug: redirect the reader to `slug`." }),
  })
  .meta({ id: "Post" });

export const publicMedia = publicImage
  .extend({ filename: z.string(), contentType: z.string(), bytes: z.int(), createdAt: timestamp })
  .meta({ id: "Media" });

export const searchHit = z
  .strictObject({
    post: postSummary,
    highlights: z
      .strictObject({ title: z.string(), excerpt: z.string() })
      .meta({ description: "HTML that contains only `<mark>`; everything else is escaped." }),
  })
  .meta({ id: "SearchHit" });

export const VIEW_PERIODS = ["7d", "30d", "90d", "all"] as const;
export type ViewPeriod = (typeof VIEW_PERIODS)[number];
export const postViews = z
  .strictObject({
    postId: id("post"),
    views: z
      .strictObject({ "7d": z.int(), "30d": z.int(), "90d": z.int(), all: z.int() })
      .meta({ description: "In the last 7, 30 and 90 days including today (UTC), and in total." }),
  })
  .meta({ id: "PostViews" });
export const mostRead = z
  .strictObject({ post: postSummary, views: z.int().meta({ description: "In the requested period." }) })
  .meta({ id: "MostRead" });

/** What a page sends to `POST /collect` when it is read. Fields this version does not know are ignored. */
export const collectBody = z
  .object({
    website: id("site").meta({ description: "The website's id. It is not a secret." }),
    post: z.union([id("post"), slug]).meta({ description: "The post's id or slug.", examples: ["hello-world"] }),
    referrer: z
      .string()
      .nullish()
      .meta({ description: "`document.referrer`. Only its host is kept.", examples: ["https://news.example/today"] }),
  })
  .meta({ id: "Collect" });

export const change = z
  .strictObject({
    type: z.enum(["published", "updated", "removed"]).meta({
      description:
        "`published` and `updated`: read the post by its id (not found means that it was removed since, and a later entry says so). `removed`: unpublished or deleted.",
    }),
    postId: id("post"),
    slug: slug.meta({ description: "The slug after the change; of a removed post the last one." }),
    previousSlug: slug.nullable().meta({ description: "The slug before, when the change renamed the post." }),
    at: timestamp,
  })
  .meta({ id: "Change" });

export const redirect = z
  .strictObject({
    from: slug.meta({ description: "A slug that the post was published under before." }),
    to: slug.meta({ description: "The slug it has now." }),
    postId: id("post"),
  })
  .meta({ id: "Redirect" });

export const publicWebsite = z
  .strictObject({
    id: id("site").meta({ description: "Not a secret: views are counted by it." }),
    title: z.string(),
    description: z.string(),
    language: z.string().meta({ description: "BCP 47.", examples: ["en", "pt-BR"] }),
    url: z
      .string()
      .nullable()
      .meta({ description: "The public address of the blog, without a slash at the end; null when it is not set." }),
    fields: z
      .array(
        z.strictObject({
          key: z.string().meta({ description: "Its name in `fields` of a post." }),
          label: z.string(),
          type: z.enum(FIELD_TYPES),
          options: z.array(z.string()).meta({ description: "The choices of a `select`; empty for other types." }),
          required: z.boolean(),
        }),
      )
      .meta({ description: "The custom fields that posts of this website have." }),
  })
  .meta({ id: "Website" });

export const pagination = z
  .strictObject({
    hasNext: z.boolean().meta({ description: "Whether another page exists." }),
    nextCursor: z.string().nullable().meta({ description: "`cursor` of the next page; null after the last one." }),
    limit: z.int().min(1).max(100).meta({ description: "The page size that was applied." }),
  })
  .meta({ id: "Pagination" });

export const changes = z
  .strictObject({
    data: z.array(change).meta({ description: "In the order the changes were saved, so nothing is skipped." }),
    cursor: z.string().meta({ description: "Store it and send it as `since` of the next request." }),
    reset: z.boolean().meta({
      description:
        "True without `since`, and when `since` is too old (90 days) or from another store: read all posts again, then continue from `cursor`.",
    }),
    fingerprint: z.string().meta({
      description:
        "Another text whenever anything that readers can see has changed, also what is not listed: categories, tags, authors, image texts, website settings. If it is not the one of the last time, read the lists again.",
      examples: ["9f2c41d07be85a36"],
    }),
    pagination,
  })
  .meta({
    id: "Changes",
    description:
      "Changes to published posts, so that a website can update instead of rebuild. Changes to categories, tags, authors, image texts and settings are not listed; `fingerprint` tells that there were some.",
  });

export const previewPost = postSummary
  .extend({
    body: postBody,
    status: z.enum(POST_STATUSES),
    expiresAt: timestamp.meta({ description: "When the preview expires." }),
  })
  .meta({
    id: "PreviewPost",
    description:
      "The working copy of one post, shaped like a post. `publishedAt` is the date it has or is planned to have, or else the moment of reading; `updatedAt` is the last edit.",
  });

export type PublicImage = z.infer<typeof publicImage>;
export type PublicCategory = z.infer<typeof publicCategory>;
export type PublicTag = z.infer<typeof publicTag>;
export type PublicAuthor = z.infer<typeof publicAuthor>;
export type PostSummaryJson = z.infer<typeof postSummary>;
export type PostJson = z.infer<typeof publicPost>;
export type SearchHitJson = z.infer<typeof searchHit>;
export type CollectJson = z.infer<typeof collectBody>;
export type ChangeJson = z.infer<typeof change>;
export type ChangesJson = z.infer<typeof changes>;
export type RedirectJson = z.infer<typeof redirect>;
export type WebsiteJson = z.infer<typeof publicWebsite>;
export type PreviewPostJson = z.infer<typeof previewPost>;
export type PaginationJson = z.infer<typeof pagination>;
