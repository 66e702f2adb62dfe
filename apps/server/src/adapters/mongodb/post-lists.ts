import { POST_STATUSES, type PostStatus } from "@stet/contract";
import type { Filter } from "mongodb";
import { fold } from "#domain/fold";
import type { UserId } from "#domain/ids";
import { headOf } from "#domain/post-head";
import type { DatedPost, PostListQuery, PostStore } from "#ports/content-store";
import type { FacetFilter } from "#ports/live-posts";
import type { Context, Stored } from "./context.ts";
import { countGroups } from "./facet-counts.ts";
import { containing, orderOf, readPage } from "./paging.ts";
import { ANY_LIVE, toLivePost, toSummary, WITHOUT_BODIES } from "./post-document.ts";
import { dateOf } from "./schemas.ts";
import { allDocuments } from "./read-documents.ts";

/** The posts that people and tools see: every status, the working copy. */
export function mongoPostLists(context: Context): Pick<PostStore, "list" | "listHeads" | "listDated" | "countByStatus" | "countByFacet"> {
  const list: PostStore["list"] = (websiteId, query) =>
    readPage(
      context.posts,
      {
        // By publication in the index of what is live.
        filter: { w: websiteId, status: { $in: [...query.statuses] }, ...(query.sort.endsWith("publishedAt") && { liveFacets: ANY_LIVE }) },
        conditions: [...narrowing(query), ...allOf("workingFacets", query.facets)],
        order: orderOf(query.sort, "titleKey"),
        prefix: `${websiteId}/`,
        after: query.after,
        limit: query.limit,
        projection: { ...WITHOUT_BODIES, live: 0 },
      },
      (document) => toSummary(context, websiteId, document),
    );
  return {
    list,
    async listHeads(websiteId, query) {
      const { rows, next } = await list(websiteId, query);
      return { rows: rows.map(headOf), next };
    },
    async listDated(websiteId, { statuses, from, to, ownOrPublished: userId, limit }) {
      const within = { $gte: dateOf(from), $lt: dateOf(to) };
      const read = async (status: DatedPost["status"]): Promise<DatedPost[]> => {
        const field = status === "scheduled" ? "scheduledAt" : "publishedAt";
        const own = status === "scheduled" && userId !== undefined ? { ownerId: userId } : {};
        const narrowed = status === "published" ? { liveFacets: ANY_LIVE } : { status };
        const found = await allDocuments(
          context.posts
            .find({ w: websiteId, ...narrowed, [field]: within, ...own })
            .sort({ [field]: 1, _id: 1 })
            .limit(limit)
            .project<Stored>(WITHOUT_BODIES),
          limit,
        );
        return found.flatMap((document) => {
          const post = toSummary(context, websiteId, document);
          const at = status === "scheduled" ? post?.scheduledAt : post?.publishedAt;
          const title = status === "scheduled" ? post?.working.title : toLivePost(context, websiteId, document)?.content.title;
          return post && at && title !== undefined ? [{ id: post.id, title, status, at }] : [];
        });
      };
      const lists = await Promise.all([...new Set(statuses)].map(read));
      return lists
        .flat()
        .toSorted((left, right) => (`${left.at} ${left.id}` < `${right.at} ${right.id}` ? -1 : 1))
        .slice(0, limit);
    },
    async countByStatus(websiteId, userId) {
      const groups = await allDocuments(
        context.posts.aggregate<{ _id: unknown; count: number }>([
          { $match: { w: websiteId, status: { $in: POST_STATUSES }, ...(userId === undefined ? {} : ownOrPublished(userId)) } },
          { $group: { _id: "$status", count: { $sum: 1 } } },
        ]),
      );
      const counts = new Map(groups.map(({ _id, count }) => [_id, count]));
      return Object.fromEntries(POST_STATUSES.map((status) => [status, counts.get(status) ?? 0])) as Record<PostStatus, number>;
    },
    countByFacet: (websiteId, groups) => countGroups(context, websiteId, "shown", groups),
  };
}

const ownOrPublished = (userId: UserId): Filter<Stored> => ({ $or: [{ ownerId: userId }, { status: "published" }] });

function narrowing(query: PostListQuery): Filter<Stored>[] {
  const part = fold(query.titleContains ?? "");
  return [
    ...(part === "" ? [] : [{ titleKey: containing(part) }]),
    ...(query.ownOrPublished === undefined ? [] : [ownOrPublished(query.ownOrPublished)]),
    ...(query.ownerId === undefined ? [] : [{ ownerId: query.ownerId }]),
    ...(query.editedByTool === undefined ? [] : [{ "editedBy.type": query.editedByTool ? "tool" : { $ne: "tool" } }]),
    ...(query.hasUnpublishedChanges ? [{ hasUnpublishedChanges: true }] : []),
    ...(query.reviewRequested === undefined ? [] : [{ review: query.reviewRequested ? { $ne: null } : null }]),
  ];
}

/** Each group is "any of", all of them together "all of". */
export const allOf = (field: string, groups: FacetFilter = []): Filter<Stored>[] =>
  groups.map((group) => ({ [field]: { $in: [...group] } }));
