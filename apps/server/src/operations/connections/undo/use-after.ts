import { POST_STATUSES } from "@stet/contract";
import { facetsOf } from "#domain/facets";
import { mediaIdsOf } from "#domain/media-ids";
import type { Post, PostContent } from "#domain/post";
import type { InWebsite } from "../../kernel/operation.ts";
import { judgePost, type Undoing } from "./judge-post.ts";

/** More posts than these are not looked at one by one in a preview. */
const MOST_POSTS = 50;

/**
 * Whether a post will use one of these facets once every post is back, so that a preview can say what becomes of a term or an
 * image, and not only what might.
 */
export async function useAfter(
  context: InWebsite,
  facets: readonly string[],
  postCount: number,
  undoing: Undoing,
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
    const contents = post ? await contentsAfter(context, post, undoing) : [];
    if (contents.some((one) => facetsOf(one, mediaIdsOf(one)).some((facet) => facets.includes(facet)))) return "used";
  }
  // Beside those in the list it may be used by what is live only, or by more posts than were looked at.
  return page.rows.filter(({ status }) => status !== "deleted").length === postCount ? "unused" : "unsure";
}

/** What writers or readers see of it then; nothing of what lies in the trash. */
async function contentsAfter(context: InWebsite, post: Post, undoing: Undoing): Promise<readonly PostContent[]> {
  const judgement = await judgePost(context, post, undoing);
  const back = judgement.verdict === "set back" ? judgement : null;
  const steps = back?.way.steps ?? [];
  if (steps.includes("trash") || (post.status === "deleted" && !steps.includes("restore"))) return [];
  const isShown = post.status === "published" && !steps.includes("unpublish");
  const live = back?.live ?? (isShown ? post.live?.content : null);
  const working = back?.working ?? back?.live ?? post.working;
  return live ? [working, live] : [working];
}
