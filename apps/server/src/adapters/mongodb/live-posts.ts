import { FEATURED } from "#domain/facets";
import type { WebsiteId } from "#domain/ids";
import type { LiveListQuery, PostStore } from "#ports/content-store";
import type { Context } from "./context.ts";
import { keyOf } from "./keys.ts";
import { orderOf, readPage } from "./paging.ts";
import { ANY_LIVE, NOT_FEATURED, toLivePost, toLivePostWithBody } from "./post-document.ts";
import { allOf, countEach } from "./post-lists.ts";

const SHOWN = { live: 1, createdAt: 1, publishedAt: 1, updatedAt: 1, liveTitleKey: 1 } as const;

/** The posts that keys can read: published ones, the live copy. */
export function mongoLivePosts(context: Context): Pick<PostStore, "listLive" | "getLive" | "getManyLive" | "countLiveByFacet"> {
  return {
    listLive(websiteId, query) {
      const [first, ...others] = facetsOf(query);
      return readPage(
        context.posts,
        {
          filter: { w: websiteId, liveFacets: first?.length === 1 ? first[0]! : { $in: [...(first ?? [])] } },
          conditions: allOf("liveFacets", others),
          order: orderOf(query.sort, "liveTitleKey"),
          prefix: `${websiteId}/`,
          after: query.after,
          limit: query.limit,
          projection: SHOWN,
        },
        (document) => toLivePost(context, websiteId, document),
      );
    },
    async getLive(websiteId, id) {
      const found = await context.posts.findOne(
        { _id: keyOf(websiteId, id), liveFacets: ANY_LIVE },
        { projection: { ...SHOWN, liveBody: 1, rendererVersion: 1, pastSlugs: 1 } },
      );
      return found && toLivePostWithBody(context, websiteId, found);
    },
    async getManyLive(websiteId, ids) {
      const found = await context.posts
        .find({ _id: { $in: ids.map((id) => keyOf(websiteId, id)) }, liveFacets: ANY_LIVE }, { projection: SHOWN })
        .toArray();
      return found.map((document) => toLivePost(context, websiteId, document)).filter((post) => post !== null);
    },
    countLiveByFacet: (websiteId, groups) => countEach(context, websiteId, "liveFacets", groups),
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
