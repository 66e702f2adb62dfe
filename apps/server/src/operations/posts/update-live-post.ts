import { goLive } from "#domain/post-life";
import { transition } from "#domain/transitions";
import { expectedVersion } from "../kernel/inputs.ts";
import { postOperation } from "../kernel/operation.ts";
import { requireReady } from "./helpers/require-ready.ts";
import { requireVersion, storePost } from "./helpers/store-post.ts";
import { aboutPost, type PostView, viewOf } from "./helpers/post-view.ts";

/** Brings the changes of the working copy to the readers. */
export const updateLivePost = postOperation({
  name: "update_live_post",
  summary: "Publish the changes of a published post.",
  permission: "post.publish",
  input: { expectedVersion },
  async run(context, input): Promise<PostView> {
    const { post, services, by, now } = context;
    requireVersion(post, input.expectedVersion);
    transition(post.status, "update");
    // Nothing changed, so nothing happens: an event says that readers see something else.
    if (!post.hasUnpublishedChanges) return viewOf(post);
    requireReady(context.website, post);
    const rendering = await services.render(post.working.body);
    return viewOf(await storePost(context, goLive(post, "update", rendering, { by, now })));
  },
  changes: "content",
  activity: ({ post }, _, updated) => (updated.version === post.version && !updated.suggestion ? null : aboutPost(updated)),
});
