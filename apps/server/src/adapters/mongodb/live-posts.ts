import { FEATURED } from "#domain/facets";
import { isId, type PostId, type WebsiteId } from "#domain/ids";
import type { LiveListQuery, LivePosts } from "#ports/live-posts";
import type { After } from "#ports/list-page";
import { mongoClaims } from "./claims.ts";
import type { Context } from "./context.ts";
import { countGroups } from "./facet-counts.ts";
import { keyOf } from "./keys.ts";
import { orderOf, readPage, sweep } from "./paging.ts";
import { ANY_LIVE, NOT_FEATURED, toLivePost, toLivePostWithBody, toPastSlugs } from "./post-document.ts";
import { allOf } from "./post-lists.ts";
import { allDocuments } from "./read-documents.ts";

const SHOWN = { live: 1, createdAt: 1, publishedAt: 1, updatedAt: 1, liveTitleKey: 1 } as const;

/** What a list is ordered by. */
const ORDERED = { createdAt: 1, publishedAt: 1, updatedAt: 1, liveTitleKey: 1 } as const;

/** The posts that keys can read: published ones, the live copy. */
export function mongoLivePosts(context: Context): LivePosts {
  const byCreation = (websiteId: WebsiteId, after: After | null, limit: number) => ({
    filter: { w: websiteId, liveFacets: ANY_LIVE },
    order: orderOf("createdAt", "liveTitleKey"),
    prefix: `${websiteId}/`,
    after,
    limit,
  });
  const pageFor = (websiteId: WebsiteId, query: LiveListQuery) => {
    const [first, ...others] = facetsOf(query);
    return {
      filter: { w: websiteId, liveFacets: first?.length === 1 ? first[0]! : { $in: [...(first ?? [])] } },
      conditions: allOf("liveFacets", others),
      order: orderOf(query.sort, "liveTitleKey"),
      prefix: `${websiteId}/`,
      after: query.after,
      limit: query.limit,
    };
  };
  const { owners } = mongoClaims(context);
  const getLive: LivePosts["getLive"] = async (websiteId, id) => {
    const found = await context.posts.findOne(
      { _id: keyOf(websiteId, id), w: websiteId, liveFacets: ANY_LIVE },
      { projection: { ...SHOWN, liveBody: 1, rendererVersion: 1, pastSlugs: 1 } },
    );
    return found && toLivePostWithBody(context, websiteId, found);
  };
  return {
    listLive: (websiteId, query) =>
      readPage(context.posts, { ...pageFor(websiteId, query), projection: SHOWN }, (document) => toLivePost(context, websiteId, document)),
    listLiveIds: (websiteId, query) =>
      readPage(context.posts, { ...pageFor(websiteId, query), projection: ORDERED }, ({ _id }) => {
        const id = _id.slice(websiteId.length + 1);
        return isId("post", id) ? id : null;
      }),
    listAddresses: (websiteId, { after, limit }) =>
      readPage(context.posts, { ...byCreation(websiteId, after, limit), projection: SHOWN }, (document) => {
        const post = toLivePost(context, websiteId, document);
        return post && { slug: post.content.slug, updatedAt: post.updatedAt, noindex: post.content.seo.noindex };
      }),
    async skipLive(websiteId, after, count) {
      const page = { ...byCreation(websiteId, after, 1), skip: count - 1, projection: { createdAt: 1 } as const };
      return (await readPage(context.posts, page, () => null)).next;
    },
    getLive,
    async getLiveBySlug(websiteId, slug) {
      const owner = (await owners(websiteId, "post", [slug])).get(slug);
      return owner === undefined ? null : getLive(websiteId, owner as PostId);
    },
    async getManyLive(websiteId, ids) {
      const found = await allDocuments(
        context.posts.find(
          { _id: { $in: ids.map((id) => keyOf(websiteId, id)) }, w: websiteId, liveFacets: ANY_LIVE },
          { projection: SHOWN },
        ),
        ids.length,
      );
      return found.map((document) => toLivePost(context, websiteId, document)).filter((post) => post !== null);
    },
    countLiveByFacet: (websiteId, groups) => countGroups(context, websiteId, "live", groups),
    async listPastSlugs(websiteId, { after, limit }) {
      const renamed = await sweep(
        context.posts,
        {
          // A text at the first place: the index "renamed" holds those posts together.
          filter: {
            w: websiteId,
            "pastSlugs.0": { $gt: "" },
            liveFacets: ANY_LIVE,
            ...(after && { _id: { $gte: keyOf(websiteId, after.id) } }),
          },
          sort: { _id: 1 },
          // Each has one at least, but for the last one seen, which may have no more: two beyond the limit are enough.
          limit: limit + 2,
          projection: { "live.content.slug": 1, pastSlugs: 1 },
        },
        (document) => toPastSlugs(context, websiteId, document),
      );
      const rows = renamed.flat().filter(({ slug, postId }) => !after || postId > after.id || slug > after.key);
      const shown = rows.slice(0, limit);
      const last = rows.length > limit ? shown.at(-1) : undefined;
      return { rows: shown, next: last ? { key: last.slug, id: last.postId } : null };
    },
  };
}

/** Every group the list is narrowed by, at least one: the index begins with it. */
function facetsOf({ facets = [], featured }: LiveListQuery): readonly (readonly string[])[] {
  const groups = [...facets, ...(featured === undefined ? [] : [[featured ? FEATURED : NOT_FEATURED]])];
  return groups.length > 0 ? groups : [[ANY_LIVE]];
}

/** Which of these records a published post shows; a record counts by any of its ids. */
export async function keepShown<Row>(
  context: Context,
  websiteId: WebsiteId,
  rows: readonly Row[],
  idsOf: (row: Row, index: number) => readonly string[],
): Promise<Row[]> {
  const shown = await Promise.all(
    rows.map((row, index) =>
      context.posts.findOne({ w: websiteId, liveFacets: { $in: [...idsOf(row, index)] } }, { projection: { _id: 1 } }),
    ),
  );
  return rows.filter((_, index) => shown[index]);
}
