import type * as Api from "./api-types.ts";
import { invalidInput, StetError } from "./error.ts";
import type { CallOptions, ClientOptions } from "./options.ts";
import { createAsk } from "./request.ts";
import { LISTS_TAG, postTag } from "./tags.ts";
import { REAL_TIME } from "./time.ts";

/** The values of a website's custom fields; describe them with the type that `npx @stet/cli types` writes. */
export type Fields = Record<string, unknown>;
type WithFields<Shape, F> = Omit<Shape, "fields"> & { readonly fields: F };

/** A post in a list: everything but its body. */
export type PostSummary<F = Fields> = WithFields<Api.PostSummary, F>;
export type Post<F = Fields> = WithFields<Api.Post, F>;
export type PreviewPost<F = Fields> = WithFields<Api.PreviewPost, F>;
export type SearchHit<F = Fields> = Omit<Api.SearchHit, "post"> & { readonly post: PostSummary<F> };
export type MostRead<F = Fields> = Omit<Api.MostRead, "post"> & { readonly post: PostSummary<F> };

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly pagination: Api.Pagination;
}

/** What changed since a cursor. `reset`: read everything again, then go on from `cursor`. */
export interface ChangesPage {
  readonly changes: readonly Api.Change[];
  readonly cursor: string;
  readonly reset: boolean;
  /** Another one whenever anything that readers see has changed, also the names of terms or the website's settings. Older servers do not tell it. */
  readonly fingerprint: string | undefined;
}

export interface List<Item, Query> {
  list(query?: Query, options?: CallOptions): Promise<Page<Item>>;
  /** Every item, however many pages it takes. */
  all(query?: Omit<Query, "cursor">, options?: CallOptions): AsyncGenerator<Item, void, undefined>;
}

export interface Terms<Item, Query> extends List<Item, Query> {
  /** By its slug, a former slug or its id; null when there is none. */
  findBySlug(slug: string, options?: CallOptions): Promise<Item | null>;
}

export interface Client<F = Fields> {
  readonly posts: List<PostSummary<F>, Api.ListPostsQuery> & {
    /** By its slug or a former one, which `slugRedirectedFrom` then tells; null when there is none. */
    findBySlug(slug: string, query?: Api.GetPostQuery, options?: CallOptions): Promise<Post<F> | null>;
    findById(id: string, query?: Api.GetPostQuery, options?: CallOptions): Promise<Post<F> | null>;
    /** How often it was read; null when there is no such post. */
    views(slug: string, options?: CallOptions): Promise<Api.PostViews | null>;
  };
  readonly categories: Terms<Api.ListedCategory, Api.ListCategoriesQuery>;
  readonly tags: Terms<Api.ListedTag, Api.ListTagsQuery>;
  readonly authors: Terms<Api.ListedAuthor, Api.ListAuthorsQuery>;
  readonly media: List<Api.Media, Api.ListMediaQuery> & { find(id: string, options?: CallOptions): Promise<Api.Media | null> };
  readonly redirects: List<Api.Redirect, Api.ListRedirectsQuery>;
  search(q: string, query?: Omit<Api.SearchPostsQuery, "q">, options?: CallOptions): Promise<Page<SearchHit<F>>>;
  mostRead(query?: Api.ListMostReadQuery, options?: CallOptions): Promise<Page<MostRead<F>>>;
  readonly changes: {
    /** Page after page until there is nothing newer. Keep the last `cursor`; null to begin. */
    since(cursor: string | null, options?: CallOptions): AsyncGenerator<ChangesPage, void, undefined>;
  };
  website(options?: CallOptions): Promise<Api.Website>;
  /** Files to pass on under the website's own address. */
  readonly feeds: {
    rss(query?: Api.GetRssFeedQuery, options?: CallOptions): Promise<string>;
    json(query?: Api.GetJsonFeedQuery, options?: CallOptions): Promise<string>;
    sitemap(query?: Api.GetSitemapQuery, options?: CallOptions): Promise<string>;
    llms(options?: CallOptions): Promise<string>;
  };
  /** The draft behind a preview token; null when the token is wrong or has expired. */
  preview(token: string, options?: CallOptions): Promise<PreviewPost<F> | null>;
}

interface Listed<Item> {
  readonly data: readonly Item[];
  readonly pagination: Api.Pagination;
}

const LISTS = [LISTS_TAG];

/** Reads the published posts of one website. `time` is for tests. */
export function createClient<F = Fields>(options: ClientOptions, time = REAL_TIME): Client<F> {
  const ask = createAsk(options, time);

  async function list<Item>(path: string, query: object | undefined, call?: CallOptions): Promise<Page<Item>> {
    const { data, pagination } = await ask<Listed<Item>>({ path, query, tags: LISTS }, call);
    return { items: checked(data, pagination), pagination };
  }

  const listOf = <Item, Query extends object>(path: string): List<Item, Query> => ({
    list: (query, call) => list(path, query, call),
    async *all(query, call) {
      const seen = new Set<string>();
      for (let cursor: string | null | undefined; cursor !== null;) {
        const page: Page<Item> = await list(path, { limit: 100, ...query, cursor }, call);
        yield* page.items;
        cursor = page.pagination.nextCursor || null;
        // Ending quietly would look like the end of the list.
        if (cursor === null ? page.pagination.hasNext : seen.has(cursor)) throw confused();
        if (cursor !== null) seen.add(cursor);
      }
    },
  });

  /** One thing by its name; null for the one answer that says there is none. */
  async function find<Item>(
    path: string,
    name: string,
    rest: { after?: string; query?: object | undefined; tags?: string[] },
    call?: CallOptions,
  ) {
    if (typeof name !== "string" || name === "") throw invalidInput("A slug or id must be a text that is not empty.");
    // No slug: as a part of an address it would lead elsewhere.
    if (name === "." || name === "..") return null;
    const whole = `${path}/${encodeURIComponent(name)}${rest.after ?? ""}`;
    const secret = path === "/preview" ? { secret: name } : {};
    return nullIfMissing(ask<{ data: Item }>({ path: whole, query: rest.query, tags: rest.tags ?? LISTS, ...secret }, call));
  }

  const termsOf = <Item, Query extends object>(path: string): Terms<Item, Query> => ({
    ...listOf<Item, Query>(path),
    findBySlug: (slug, call) => find<Item>(path, slug, {}, call),
  });

  const findPost = (name: string, query?: object, call?: CallOptions) =>
    find<Post<F>>("/blog/posts", name, { query, tags: [postTag(name)] }, call);

  const feed =
    (file: string, textType: string) =>
    (query?: object, call?: CallOptions): Promise<string> =>
      ask({ path: `/blog/${file}`, query, textType, tags: LISTS }, call);
  const llms = feed("llms.txt", "text/plain");

  return {
    posts: {
      ...listOf("/blog/posts"),
      findBySlug: findPost,
      findById: findPost,
      views: (slug, call) => find("/blog/posts", slug, { after: "/views" }, call),
    },
    categories: termsOf("/blog/categories"),
    tags: termsOf("/blog/tags"),
    authors: termsOf("/blog/authors"),
    media: { ...listOf("/blog/media"), find: (id, call) => find("/blog/media", id, {}, call) },
    redirects: listOf("/blog/redirects"),
    search: async (q, query, call) => {
      if (typeof q !== "string" || q.trim() === "") throw invalidInput("q must be what to look for.");
      return list("/blog/search", { ...query, q }, call);
    },
    mostRead: (query, call) => list("/blog/views", query, call),
    changes: {
      async *since(cursor, call) {
        const seen = new Set<string>();
        for (let since = cursor, hasNext = true; hasNext;) {
          const query = since === null ? {} : { since };
          const page = await ask<Api.Changes>({ path: "/blog/changes", query, tags: LISTS }, call);
          const changes = checked(page.data, page.pagination);
          if (since !== null) seen.add(since);
          if (typeof page.cursor !== "string" || (seen.has(page.cursor) && page.pagination.hasNext)) throw confused();
          yield { changes, cursor: page.cursor, reset: page.reset, fingerprint: page.fingerprint };
          since = page.cursor;
          hasNext = page.pagination.hasNext;
        }
      },
    },
    website: async (call) => (await ask<{ data: Api.Website }>({ path: "/blog/website", tags: LISTS }, call)).data,
    feeds: {
      rss: feed("feed.xml", "application/rss+xml"),
      json: feed("feed.json", "application/feed+json"),
      sitemap: feed("sitemap.xml", "application/xml"),
      llms: (call) => llms(undefined, call),
    },
    preview: (token, call) => find("/preview", token, {}, call),
  };
}

async function nullIfMissing<Item>(answer: Promise<{ data: Item }>): Promise<Item | null> {
  try {
    const { data } = await answer;
    if (typeof data !== "object" || data === null) throw confused();
    return data;
  } catch (error) {
    if (StetError.is(error) && error.status === 404 && error.code === "NOT_FOUND") return null;
    throw error;
  }
}

function checked<Item>(data: readonly Item[], pagination: Api.Pagination | undefined): readonly Item[] {
  if (!Array.isArray(data) || typeof pagination?.hasNext !== "boolean") throw confused();
  return data;
}

const confused = (): StetError =>
  new StetError("The server repeats itself, or answers something else than a list.", { code: "INVALID_RESPONSE" });
