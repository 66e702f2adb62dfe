import { fail } from "#domain/failure";
import { mediaIdsOf } from "#domain/media-ids";
import { edit } from "#domain/post-life";
import { expectedVersion } from "../kernel/inputs.ts";
import { postOperation } from "../kernel/operation.ts";
import { requireVersion, storePost } from "./helpers/store-post.ts";
import { aboutPost, type PostView, viewOf } from "./helpers/post-view.ts";

/** Turns a suggestion down, or gives up one's own changes. What was written stays in the history: nothing is lost by it. */
export const discardChanges = postOperation({
  name: "discard_changes",
  summary: "Discard unpublished changes of a post, and close its review request.",
  permission: "post.publish",
  input: { expectedVersion },
  async run(context, input): Promise<PostView> {
    const { post, by, now } = context;
    requireVersion(post, input.expectedVersion);
    if (post.status !== "published" || !post.live) {
      throw fail("INVALID_TRANSITION", "Only a published post has a live version to go back to. Restore an earlier version instead.", {
        status: post.status,
      });
    }
    const working = post.live.content;
    const change = { working, workingMediaIds: mediaIdsOf(working), slugFollowsTitle: false, kind: "restore", latest: null } as const;
    return viewOf(await storePost(context, { ...edit(post, change, { by, now }), review: null }));
  },
  changes: "nothing",
  activity: (_, __, post) => aboutPost(post),
});
