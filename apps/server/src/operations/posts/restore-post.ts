import { restoreFromTrash } from "#domain/post-life";
import { expectedVersion } from "../kernel/inputs.ts";
import { postOperation } from "../kernel/operation.ts";
import { requireVersion, storePost } from "./helpers/store-post.ts";
import { aboutPost, type PostView, viewOf } from "./helpers/post-view.ts";

/** Out of the trash, as a draft. */
export const restorePost = postOperation({
  name: "restore_post",
  summary: "Restore a post from the trash as a draft.",
  permission: "post.restore",
  input: { expectedVersion },
  async run(context, input): Promise<PostView> {
    const { post, by, now } = context;
    requireVersion(post, input.expectedVersion);
    return viewOf(await storePost(context, restoreFromTrash(post, { by, now })));
  },
  changes: "nothing",
  activity: (_, __, post) => aboutPost(post),
});
