import { z } from "zod";
import { fail } from "#domain/failure";
import { expectedVersion, textOf } from "../kernel/inputs.ts";
import { postOperation } from "../kernel/operation.ts";
import { requireVersion, storePost } from "./helpers/store-post.ts";
import { aboutPost, type PostView, viewOf } from "./helpers/post-view.ts";

/** Asks an editor to look at the post; it is then in the list of posts that wait for review. Publishing or scheduling ends the request. */
export const requestReview = postOperation({
  name: "request_review",
  summary: "Request a review of a post.",
  permission: "post.review",
  input: { expectedVersion, note: z.string().trim().pipe(textOf(1_000)).default("") },
  async run(context, input): Promise<PostView> {
    const { post, by, now } = context;
    requireVersion(post, input.expectedVersion);
    if (post.status === "deleted")
      throw fail("INVALID_TRANSITION", "A post in the trash cannot be reviewed. Restore it first.", { status: post.status });
    const review = { requestedBy: by, requestedAt: now, note: input.note };
    return viewOf(await storePost(context, { ...post, version: post.version + 1, review }));
  },
  changes: "nothing",
  activity: (_, input, post) => aboutPost(post, { note: input.note }),
});

/** Takes the request back, or answers it without publishing. */
export const endReview = postOperation({
  name: "end_review",
  summary: "Close a post's review request without publishing it.",
  permission: "post.review",
  input: { expectedVersion },
  async run(context, input): Promise<PostView> {
    const { post } = context;
    requireVersion(post, input.expectedVersion);
    if (!post.review) return viewOf(post);
    return viewOf(await storePost(context, { ...post, version: post.version + 1, review: null }));
  },
  changes: "nothing",
  activity: ({ post }, _, ended) => (ended.version === post.version ? null : aboutPost(ended)),
});
