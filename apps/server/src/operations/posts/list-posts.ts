import { POST_STATUSES, type PostStatus } from "@stet/contract";
import { z } from "zod";
import { reachOf } from "#domain/access";
import { decodeCursor, encodeCursor } from "#domain/cursor";
import { invalid } from "#domain/failure";
import type { MediaId, TermId, UserId } from "#domain/ids";
import type { PostHead } from "#domain/post-head";
import { LIST_SORTS, type ListSort, type PostListQuery, PUBLICATION_SORTS } from "#ports/content-store";
import type { ListPage } from "#ports/list-page";
import { idOf, type InWebsite, websiteOperation } from "../kernel/operation.ts";
import { cursorShape, limitShape, type ListAnswer } from "../kernel/paging.ts";
import type { PostView } from "./helpers/post-view.ts";

const EVERYTHING_BUT_TRASH = POST_STATUSES.filter((status) => status !== "deleted");

const WHICH = {
  statuses: z.array(z.enum(POST_STATUSES)).min(1).optional(),
  titleContains: z.string().trim().max(200).optional(),
  categoryId: idOf<TermId>("category").optional(),
  tagId: idOf<TermId>("tag").optional(),
  authorId: idOf<TermId>("author").optional(),
  mediaId: idOf<MediaId>("media").optional(),
  ownerId: idOf<UserId>("user").optional(),
  editedByTool: z.boolean().optional(),
  reviewRequested: z.boolean().optional(),
  hasUnpublishedChanges: z.literal(true).optional(),
  sort: z.enum(LIST_SORTS).default("-editedAt"),
  ...cursorShape,
  ...limitShape,
};

/** The posts of a website as its writers see them: working copies, every state, without bodies. */
export const listPosts = websiteOperation({
  name: "list_posts",
  summary: "List posts by status, title, category, tag, author or image, without bodies.",
  permission: "post.read",
  input: WHICH,
  async run(context, input): Promise<ListAnswer<PostView>> {
    return answerOf(input.sort, await context.content.posts.list(context.website.id, await queryOf(context, input)));
  },
  activity: "none",
});

export const HEAD_SORTS = [...LIST_SORTS, ...PUBLICATION_SORTS] as const;

export const listPostHeads = websiteOperation({
  name: "list_post_heads",
  summary: "List the same posts as list_posts, a line each; published ones also by publication.",
  permission: "post.read",
  input: { ...WHICH, sort: z.enum(HEAD_SORTS).default("-editedAt") },
  async run(context, input): Promise<ListAnswer<PostHead>> {
    return answerOf(input.sort, await context.content.posts.listHeads(context.website.id, await queryOf(context, input)));
  },
  activity: "none",
});

type Which = Omit<z.output<z.ZodObject<typeof WHICH>>, "sort"> & { readonly sort: ListSort };

async function queryOf(context: InWebsite, input: Which): Promise<PostListQuery> {
  const { content, website } = context;
  const { categoryId, tagId, authorId, mediaId, titleContains, ownerId, editedByTool, reviewRequested, hasUnpublishedChanges } = input;
  const terms = [categoryId, tagId, authorId].filter((id) => id !== undefined);
  const facets = await content.terms.facetGroups(website.id, terms);
  return {
    statuses: statusesOf(input),
    sort: input.sort,
    limit: input.limit,
    after: input.cursor ? decodeCursor(input.cursor, input.sort) : null,
    facets: mediaId ? [...facets, [mediaId]] : facets,
    ...(titleContains && { titleContains }),
    ...(ownerId && { ownerId }),
    ...(editedByTool !== undefined && { editedByTool }),
    ...(reviewRequested !== undefined && { reviewRequested }),
    ...(hasUnpublishedChanges && { hasUnpublishedChanges }),
    ...ownView(context),
  };
}

/** By publication there are published posts only. To leave out others that were asked for would be taken for "there are none". */
function statusesOf({ statuses, sort }: Which): readonly PostStatus[] {
  if (!sort.endsWith("publishedAt")) return statuses ?? EVERYTHING_BUT_TRASH;
  if (statuses?.some((status) => status !== "published")) {
    throw invalid([{ field: "sort", message: "by publication is for published posts only; leave out `statuses`, or sort by -editedAt" }]);
  }
  return ["published"];
}

const answerOf = <Row>(sort: ListSort, page: ListPage<Row>): ListAnswer<Row> => ({
  items: page.rows,
  nextCursor: page.next && encodeCursor(sort, page.next),
});

/** How many posts each tab holds. */
export const countPosts = websiteOperation({
  name: "count_posts",
  summary: "Count the posts of a website by status.",
  permission: "post.read",
  input: {},
  run: (context): Promise<Readonly<Record<PostStatus, number>>> =>
    context.content.posts.countByStatus(context.website.id, ownView(context).ownOrPublished),
  activity: "none",
});

/** A contributor sees published posts and their own. */
export function ownView({ actor, workspace, role }: InWebsite): { ownOrPublished?: UserId } {
  const reach = reachOf(actor, "post.read", { workspaceId: workspace.id, role });
  return reach === "any" || actor.type === "system" ? {} : { ownOrPublished: actor.userId };
}
