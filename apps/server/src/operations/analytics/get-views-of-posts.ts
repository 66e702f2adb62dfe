import { z } from "zod";
import type { PostId } from "#domain/ids";
import { postId, websiteOperation } from "../kernel/operation.ts";
import { daysOf } from "./helpers/period.ts";

const MOST = 100;

export interface PostNumbers {
  readonly postId: PostId;
  readonly total: number;
  readonly last30Days: number;
}

/** The column of views beside a page of posts: one question for the whole page. */
export const getViewsOfPosts = websiteOperation({
  name: "get_views_of_posts",
  summary: "Show how often each of up to 100 posts was read, ever and in the last 30 days.",
  permission: "workspace.read",
  input: { postIds: z.array(postId).min(1).max(MOST) },
  async run({ services, website, now }, { postIds }): Promise<readonly PostNumbers[]> {
    const rows = await services.readers.ofPosts(website.id, postIds, daysOf("30d", now)[0]!);
    const known = new Map(rows.map((row) => [row.postId, row]));
    return postIds.map((id) => ({ postId: id, total: known.get(id)?.total ?? 0, last30Days: known.get(id)?.recent ?? 0 }));
  },
  activity: "none",
});
