import { POST_STATUSES } from "@stet/contract";
import { facetsOf } from "#domain/facets";
import { mediaIdsOf } from "#domain/media-ids";
import type { Post, PostContent } from "#domain/post";
import type { InWebsite } from "../../kernel/operation.ts";
import { planUndoOfPost, type UndoRequest } from "./plan-undo-of-post.ts";

/** More posts than these are not looked at one by one in a preview. */
const MOST_POSTS = 50;

/**
 * Whether a post will use one of these facets once every post is back, so that a preview can say what becomes of a term or an
 * image, and not only what might.
 */
export async function useAfterUndo(
  context: InWebsite,
  facets: readonly string[],
  postCount: number,
  request: UndoRequest,
): Promise<"used" | "unused" | "unsure"> {
  const { content, website } = context;
  const page = await content.posts.listHeads(website.id, {
    statuses: POST_STATUSES,
    facets: [facets],
    sort: "-editedAt",
    after: null,
    limit: MOST_POSTS,
  });
  for (const { id } of page.rows) {
    const post = await content.posts.get(website.id, id);
    const contents = post ? await contentsAfter(context, post, request) : [];
    if (contents.some((one) => facetsOf(one, mediaIdsOf(one)).some((facet) => facets.includes(facet)))) return "used";
  }
  // Beside those in the list it may be used by what is live only, or by more posts than were looked at.
  return page.rows.filter(({ status }) => status !== "deleted").length === postCount ? "unused" : "unsure";
}

/** The contents that writers or readers see then; none of a post in the trash. */
async function contentsAfter(context: InWebsite, post: Post, request: UndoRequest): Promise<readonly PostContent[]> {
  const plan = await planUndoOfPost(context, post, request);
  const back = plan.verdict === "set back" ? plan : null;
  const steps = back?.undo.steps ?? [];
  if (steps.includes("trash") || (post.status === "deleted" && !steps.includes("restore"))) return [];
  const isShown = post.status === "published" && !steps.includes("unpublish");
  const live = back?.live ?? (isShown ? post.live?.content : null);
  const working = back?.working ?? back?.live ?? post.working;
  return live ? [working, live] : [working];
}
