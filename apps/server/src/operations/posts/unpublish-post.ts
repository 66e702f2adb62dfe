import { unpublish } from "#domain/post-life";
import { expectedVersion } from "../kernel/inputs.ts";
import { postOperation } from "../kernel/operation.ts";
import { requireVersion, storePost } from "./helpers/store-post.ts";
import { aboutPost, type PostView, viewOf } from "./helpers/post-view.ts";

/** Readers no longer see it; a scheduled post goes back to the drafts. */
export const unpublishPost = postOperation({
  name: "unpublish_post",
  summary: "Unpublish a published post, or unschedule a scheduled one.",
  permission: "post.publish",
  input: { expectedVersion },
  async run(context, input): Promise<PostView> {
    const { post, by, now } = context;
    requireVersion(post, input.expectedVersion);
    return viewOf(await storePost(context, unpublish(post, { by, now })));
  },
  changes: "content",
  activity: (_, __, post) => aboutPost(post),
});
