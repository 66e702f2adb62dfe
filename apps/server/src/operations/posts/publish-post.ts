import { goLive } from "#domain/post-life";
import { transition } from "#domain/transitions";
import { expectedVersion } from "../kernel/inputs.ts";
import { postOperation } from "../kernel/operation.ts";
import { requireReady } from "./helpers/require-ready.ts";
import { requireVersion, storePost } from "./helpers/store-post.ts";
import { aboutPost, type PostView, viewOf } from "./helpers/post-view.ts";

/** The working copy becomes the live copy, now. */
export const publishPost = postOperation({
  name: "publish_post",
  summary: "Publish a draft, scheduled or unpublished post now.",
  permission: "post.publish",
  input: { expectedVersion },
  async run(context, input): Promise<PostView> {
    const { post, services, by, now } = context;
    requireVersion(post, input.expectedVersion);
    transition(post.status, "publish");
    requireReady(context.website, post);
    const rendering = await services.render(post.working.body);
    return viewOf(await storePost(context, goLive(post, "publish", rendering, { by, now })));
  },
  changes: "content",
  activity: (_, __, post) => aboutPost(post),
});
