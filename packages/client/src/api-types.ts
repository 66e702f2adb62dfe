// Made from the OpenAPI document by tools/client-types.ts: do not edit.

export interface Author {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly url: string | null;
  readonly avatar: Image | null;
}

export interface Category {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
}

export interface Change {
  /** `published` and `updated`: read the post by its id (not found means that it was removed since, and a later entry says so). `removed`: unpublished or deleted. */
  readonly type: "published" | "updated" | "removed" | (string & {});
  readonly postId: string;
  /** The slug after the change; of a removed post the last one. */
  readonly slug: string;
  /** The slug before, when the change renamed the post. */
  readonly previousSlug: string | null;
  /** UTC, ISO 8601 with milliseconds. */
  readonly at: string;
}

/** Changes to published posts, so that a website can update instead of rebuild. Changes to categories, tags, authors, image texts and settings are not listed; `fingerprint` tells that there were some. */
export interface Changes {
  /** In the order the changes were saved, so nothing is skipped. */
  readonly data: readonly Change[];
  /** Store it and send it as `since` of the next request. */
  readonly cursor: string;
  /** True without `since`, and when `since` is too old (90 days) or from another store: read all posts again, then continue from `cursor`. */
  readonly reset: boolean;
  /** Another text whenever anything that readers can see has changed, also what is not listed: categories, tags, authors, image texts, website settings. If it is not the one of the last time, read the lists again. */
  readonly fingerprint: string;
  readonly pagination: Pagination;
}

export interface Collect {
  /** The website's id. It is not a secret. */
  readonly website: string;
  /** The post's id or slug. */
  readonly post: string;
  /** `document.referrer`. Only its host is kept. */
  readonly referrer?: string | null | undefined;
}

export interface Image {
  readonly id: string;
  /** Where its bytes are. Takes `?w=`, `&ar=` and `&fm=` for other sizes. An image that is edited gets another address. */
  readonly url: string;
  /** Describes the image for people who cannot see it. */
  readonly alt: string;
  readonly width: number;
  readonly height: number;
  /** A short code for a blurred placeholder while the image loads. */
  readonly blurhash: string | null;
  /** The color that most of the image has, such as `#a1b2c3`, to fill its place while it loads. */
  readonly dominantColor: string | null;
  /** What should stay in sight when the image is cropped, as shares of its width and height, for `object-position`. `ar` crops around it. Null: the middle. */
  readonly focalPoint: {
    readonly x: number;
    readonly y: number;
  } | null;
  /** Smaller versions for the `srcset` of an `<img>`, as WebP; put your own `sizes` beside it. Null for GIFs and for images that are small already. */
  readonly srcset: string | null;
}

export interface ListedAuthor {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly url: string | null;
  readonly avatar: Image | null;
  /** Published posts that show it. */
  readonly postCount: number;
  /** Slugs that lead here: those it had before, and those of what was merged into it. */
  readonly formerSlugs: readonly string[];
  /** Present when it was requested by an old slug. */
  readonly slugRedirectedFrom?: string | undefined;
}

export interface ListedCategory {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  /** Published posts that show it. */
  readonly postCount: number;
  /** Slugs that lead here: those it had before, and those of what was merged into it. */
  readonly formerSlugs: readonly string[];
  /** Present when it was requested by an old slug. */
  readonly slugRedirectedFrom?: string | undefined;
}

export interface ListedTag {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  /** Published posts that show it. */
  readonly postCount: number;
  /** Slugs that lead here: those it had before, and those of what was merged into it. */
  readonly formerSlugs: readonly string[];
  /** Present when it was requested by an old slug. */
  readonly slugRedirectedFrom?: string | undefined;
}

export interface Media {
  readonly id: string;
  /** Where its bytes are. Takes `?w=`, `&ar=` and `&fm=` for other sizes. An image that is edited gets another address. */
  readonly url: string;
  /** Describes the image for people who cannot see it. */
  readonly alt: string;
  readonly width: number;
  readonly height: number;
  /** A short code for a blurred placeholder while the image loads. */
  readonly blurhash: string | null;
  /** The color that most of the image has, such as `#a1b2c3`, to fill its place while it loads. */
  readonly dominantColor: string | null;
  /** What should stay in sight when the image is cropped, as shares of its width and height, for `object-position`. `ar` crops around it. Null: the middle. */
  readonly focalPoint: {
    readonly x: number;
    readonly y: number;
  } | null;
  /** Smaller versions for the `srcset` of an `<img>`, as WebP; put your own `sizes` beside it. Null for GIFs and for images that are small already. */
  readonly srcset: string | null;
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: number;
  /** UTC, ISO 8601 with milliseconds. */
  readonly createdAt: string;
}

export interface MostRead {
  readonly post: PostSummary;
  /** In the requested period. */
  readonly views: number;
}

export interface Pagination {
  /** Whether another page exists. */
  readonly hasNext: boolean;
  /** `cursor` of the next page; null after the last one. */
  readonly nextCursor: string | null;
  /** The page size that was applied. */
  readonly limit: number;
}

export interface Post {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  /** A few sentences, plain text. */
  readonly excerpt: string;
  readonly coverImage: Image | null;
  readonly categories: readonly Category[];
  readonly tags: readonly Tag[];
  readonly authors: readonly Author[];
  /** Marked as featured by the editors. */
  readonly featured: boolean;
  readonly seo: Seo;
  readonly readingMinutes: number;
  readonly wordCount: number;
  /** Values of the fields that the website's owner defined. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Where readers find the post: the website's public address and the slug. Null while the website has none. */
  readonly url: string | null;
  /** The first publication, or the date the writer chose. */
  readonly publishedAt: string;
  /** When the post was created. */
  readonly createdAt: string;
  /** The last change that readers can see. */
  readonly updatedAt: string;
  readonly body: PostBody;
  /** Present when the post was requested by an old slug: redirect the reader to `slug`. */
  readonly slugRedirectedFrom?: string | undefined;
}

export interface PostBody {
  /** As it was written: CommonMark with tables, footnotes, directives and captions of images. */
  readonly markdown?: string | undefined;
  /** Rendered from the Markdown and sanitised: safe to insert into a page. Images of the website carry `srcset`, `sizes`, `width` and `height`; one with a caption, or wider than the text, is in a `<figure class="stet-figure">`. */
  readonly html?: string | undefined;
  readonly headings?:
    | readonly {
        readonly id: string;
        readonly depth: number;
        readonly text: string;
      }[]
    | undefined;
}

/** A post that was never published: only its id is told. */
export interface PostReference {
  readonly id: string;
}

export interface PostSummary {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  /** A few sentences, plain text. */
  readonly excerpt: string;
  readonly coverImage: Image | null;
  readonly categories: readonly Category[];
  readonly tags: readonly Tag[];
  readonly authors: readonly Author[];
  /** Marked as featured by the editors. */
  readonly featured: boolean;
  readonly seo: Seo;
  readonly readingMinutes: number;
  readonly wordCount: number;
  /** Values of the fields that the website's owner defined. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Where readers find the post: the website's public address and the slug. Null while the website has none. */
  readonly url: string | null;
  /** The first publication, or the date the writer chose. */
  readonly publishedAt: string;
  /** When the post was created. */
  readonly createdAt: string;
  /** The last change that readers can see. */
  readonly updatedAt: string;
}

export interface PostViews {
  readonly postId: string;
  /** In the last 7, 30 and 90 days including today (UTC), and in total. */
  readonly views: {
    readonly "7d": number;
    readonly "30d": number;
    readonly "90d": number;
    readonly all: number;
  };
}

/** The working copy of one post, shaped like a post. `publishedAt` is the date it has or is planned to have, or else the moment of reading; `updatedAt` is the last edit. */
export interface PreviewPost {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  /** A few sentences, plain text. */
  readonly excerpt: string;
  readonly coverImage: Image | null;
  readonly categories: readonly Category[];
  readonly tags: readonly Tag[];
  readonly authors: readonly Author[];
  /** Marked as featured by the editors. */
  readonly featured: boolean;
  readonly seo: Seo;
  readonly readingMinutes: number;
  readonly wordCount: number;
  /** Values of the fields that the website's owner defined. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Where readers find the post: the website's public address and the slug. Null while the website has none. */
  readonly url: string | null;
  /** The first publication, or the date the writer chose. */
  readonly publishedAt: string;
  /** When the post was created. */
  readonly createdAt: string;
  /** The last change that readers can see. */
  readonly updatedAt: string;
  readonly body: PostBody;
  readonly status: "draft" | "scheduled" | "published" | "unpublished" | "deleted" | (string & {});
  /** When the preview expires. */
  readonly expiresAt: string;
}

export interface Problem {
  /** A page about this error. */
  readonly type: string;
  /** The code as words. */
  readonly title: string;
  readonly status: number;
  /** What is wrong and what to do next, for people. */
  readonly detail: string;
  /** What is wrong, for programs. */
  readonly code:
    | "INVALID_LIMIT"
    | "UNSUPPORTED_SORT"
    | "INVALID_CURSOR"
    | "UNSUPPORTED_CURSOR_VERSION"
    | "UNKNOWN_PARAMETER"
    | "INVALID_PARAMETER"
    | "MALFORMED_BODY"
    | "MISSING_API_KEY"
    | "INVALID_API_KEY"
    | "NOT_SIGNED_IN"
    | "ORIGIN_NOT_ALLOWED"
    | "INSUFFICIENT_ROLE"
    | "GRANT_FORBIDS"
    | "PLAN_REQUIRED"
    | "PLAN_LIMIT"
    | "NOT_FOUND"
    | "ROUTE_NOT_FOUND"
    | "METHOD_NOT_ALLOWED"
    | "VERSION_CONFLICT"
    | "SLUG_TAKEN"
    | "INVALID_TRANSITION"
    | "OTHER_ACCOUNT"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "VALIDATION_FAILED"
    | "RATE_LIMITED"
    | "QUOTA_EXCEEDED"
    | "INTERNAL"
    | "CONTENT_STORE_UNAVAILABLE"
    | "UNAVAILABLE"
    | "STORAGE_FULL"
    | (string & {});
  /** Include it when you report an error; it is also in the `X-Request-Id` header. */
  readonly requestId: string;
  /** Present when fields are invalid. */
  readonly errors?:
    | readonly {
        readonly field: string;
        readonly message: string;
      }[]
    | undefined;
  /** Values for programs; they depend on the code. */
  readonly facts?: Readonly<Record<string, unknown>> | undefined;
}

export interface Redirect {
  /** A slug that the post was published under before. */
  readonly from: string;
  /** The slug it has now. */
  readonly to: string;
  readonly postId: string;
}

export interface SearchHit {
  readonly post: PostSummary;
  /** HTML that contains only `<mark>`; everything else is escaped. */
  readonly highlights: {
    readonly title: string;
    readonly excerpt: string;
  };
}

export interface Seo {
  readonly title: string | null;
  readonly description: string | null;
  readonly canonicalUrl: string | null;
  readonly ogImageUrl: string | null;
  readonly noindex: boolean;
}

export interface Tag {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
}

export interface WebhookEvent {
  /** The same with every attempt: remember it to take an event once. */
  readonly id: string;
  readonly type: "post.published" | "post.updated" | "post.unpublished" | "post.deleted" | "webhook.test" | (string & {});
  readonly apiVersion: "v1";
  readonly createdAt: string;
  readonly website: {
    readonly id: string;
    readonly name: string;
  };
  readonly actor: {
    readonly type: "user" | "tool" | "system" | (string & {});
    readonly id: string;
  };
  readonly data: {
    /** The post as lists show it; of a deleted post that was never published only the id; null in a test. */
    readonly post: PostSummary | PostReference | null;
    /** The higher version of a post is newer, whatever came first. */
    readonly version: number;
    readonly status: "draft" | "scheduled" | "published" | "unpublished" | "deleted" | (string & {}) | null;
    /** The slug before, when the change renamed the post. */
    readonly previousSlug: string | null;
    /** Which public fields changed. */
    readonly changed: readonly string[];
    /** The other events that this one stands for, oldest first. */
    readonly coalesced?: readonly string[] | undefined;
  };
}

export interface Website {
  /** Not a secret: views are counted by it. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** BCP 47. */
  readonly language: string;
  /** The public address of the blog, without a slash at the end; null when it is not set. */
  readonly url: string | null;
  /** The custom fields that posts of this website have. */
  readonly fields: readonly {
    /** Its name in `fields` of a post. */
    readonly key: string;
    readonly label: string;
    readonly type: "text" | "number" | "boolean" | "date" | "url" | "select" | "json" | (string & {});
    /** The choices of a `select`; empty for other types. */
    readonly options: readonly string[];
    readonly required: boolean;
  }[];
}

export type ErrorCode =
  | "INVALID_LIMIT"
  | "UNSUPPORTED_SORT"
  | "INVALID_CURSOR"
  | "UNSUPPORTED_CURSOR_VERSION"
  | "UNKNOWN_PARAMETER"
  | "INVALID_PARAMETER"
  | "MALFORMED_BODY"
  | "MISSING_API_KEY"
  | "INVALID_API_KEY"
  | "NOT_SIGNED_IN"
  | "ORIGIN_NOT_ALLOWED"
  | "INSUFFICIENT_ROLE"
  | "GRANT_FORBIDS"
  | "PLAN_REQUIRED"
  | "PLAN_LIMIT"
  | "NOT_FOUND"
  | "ROUTE_NOT_FOUND"
  | "METHOD_NOT_ALLOWED"
  | "VERSION_CONFLICT"
  | "SLUG_TAKEN"
  | "INVALID_TRANSITION"
  | "OTHER_ACCOUNT"
  | "PAYLOAD_TOO_LARGE"
  | "UNSUPPORTED_MEDIA_TYPE"
  | "VALIDATION_FAILED"
  | "RATE_LIMITED"
  | "QUOTA_EXCEEDED"
  | "INTERNAL"
  | "CONTENT_STORE_UNAVAILABLE"
  | "UNAVAILABLE"
  | "STORAGE_FULL"
  | (string & {});

export interface ListPostsQuery {
  /** Page size. Anything outside 1 to 100 is refused, never clamped. */
  readonly limit?: number | undefined;
  /** `nextCursor` of the page before, exactly as received. Leave it out for the first page. */
  readonly cursor?: string | undefined;
  /** The order. A minus sign turns it round; ties are broken by id. */
  readonly sort?: "-publishedAt" | "publishedAt" | "-createdAt" | "createdAt" | "-updatedAt" | "updatedAt" | "title" | "-title" | undefined;
  /** Only posts of this category: its slug or id. */
  readonly category?: string | undefined;
  /** Only posts with this tag: its slug or id. */
  readonly tag?: string | undefined;
  /** Only posts by this author: slug or id. */
  readonly author?: string | undefined;
  /** Only posts that are featured, or only those that are not. */
  readonly featured?: boolean | undefined;
}

export interface GetPostQuery {
  /** Send only this form of the body. */
  readonly format?: "html" | "markdown" | undefined;
}

export interface ListCategoriesQuery {
  /** Page size. Anything outside 1 to 100 is refused, never clamped. */
  readonly limit?: number | undefined;
  /** `nextCursor` of the page before, exactly as received. Leave it out for the first page. */
  readonly cursor?: string | undefined;
  /** The order: by name, accents ignored. */
  readonly sort?: "name" | undefined;
}

export interface ListTagsQuery {
  /** Page size. Anything outside 1 to 100 is refused, never clamped. */
  readonly limit?: number | undefined;
  /** `nextCursor` of the page before, exactly as received. Leave it out for the first page. */
  readonly cursor?: string | undefined;
  /** The order: by name, accents ignored. */
  readonly sort?: "name" | undefined;
}

export interface ListAuthorsQuery {
  /** Page size. Anything outside 1 to 100 is refused, never clamped. */
  readonly limit?: number | undefined;
  /** `nextCursor` of the page before, exactly as received. Leave it out for the first page. */
  readonly cursor?: string | undefined;
  /** The order: by name, accents ignored. */
  readonly sort?: "name" | undefined;
}

export interface ListMediaQuery {
  /** Page size. Anything outside 1 to 100 is refused, never clamped. */
  readonly limit?: number | undefined;
  /** `nextCursor` of the page before, exactly as received. Leave it out for the first page. */
  readonly cursor?: string | undefined;
  /** The order: newest first. */
  readonly sort?: "-createdAt" | undefined;
}

export interface SearchPostsQuery {
  /** What to look for: words, `"a phrase"`, `-without`. */
  readonly q: string;
  /** Page size. Anything outside 1 to 100 is refused, never clamped. */
  readonly limit?: number | undefined;
  /** `nextCursor` of the page before, exactly as received. Leave it out for the first page. */
  readonly cursor?: string | undefined;
}

export interface ListMostReadQuery {
  /** The last 7, 30 or 90 days including today (UTC), or all time. */
  readonly period?: "7d" | "30d" | "90d" | "all" | undefined;
  /** Page size. Anything outside 1 to 100 is refused, never clamped. */
  readonly limit?: number | undefined;
  /** `nextCursor` of the page before, exactly as received. Leave it out for the first page. */
  readonly cursor?: string | undefined;
}

export interface ListChangesQuery {
  /** `cursor` of the answer before. Leave it out to start. */
  readonly since?: string | undefined;
  /** Page size. Anything outside 1 to 100 is refused, never clamped. */
  readonly limit?: number | undefined;
}

export interface ListRedirectsQuery {
  /** Page size. Anything outside 1 to 100 is refused, never clamped. */
  readonly limit?: number | undefined;
  /** `nextCursor` of the page before, exactly as received. Leave it out for the first page. */
  readonly cursor?: string | undefined;
}

export interface GetRssFeedQuery {
  /** Page size. Anything outside 1 to 100 is refused, never clamped. */
  readonly limit?: number | undefined;
  /** Only posts of this category: its slug or id. */
  readonly category?: string | undefined;
  /** Only posts with this tag: its slug or id. */
  readonly tag?: string | undefined;
  /** Only posts by this author: slug or id. */
  readonly author?: string | undefined;
}

export interface GetJsonFeedQuery {
  /** Page size. Anything outside 1 to 100 is refused, never clamped. */
  readonly limit?: number | undefined;
  /** Only posts of this category: its slug or id. */
  readonly category?: string | undefined;
  /** Only posts with this tag: its slug or id. */
  readonly tag?: string | undefined;
  /** Only posts by this author: slug or id. */
  readonly author?: string | undefined;
}

export interface GetSitemapQuery {
  /** `nextCursor` of the page before, exactly as received. Leave it out for the first page. */
  readonly cursor?: string | undefined;
}
