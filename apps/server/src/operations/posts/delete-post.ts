import { moveToTrash } from "#domain/post-life";
import { expectedVersion } from "../kernel/inputs.ts";
import { postOperation } from "../kernel/operation.ts";
import { requireVersion, storePost } from "./helpers/store-post.ts";
import { aboutPost, type PostView, viewOf } from "./helpers/post-view.ts";

/** Into the trash, from where it can be restored for 30 days. */
export const deletePost = postOperation({
  name: "delete_post",
  summary: "Move a post to the trash. It can be restored for 30 days.",
  permission: "post.delete",
  input: { expectedVersion },
  async run(context, input): Promise<PostView> {
    const { post, by, now } = context;
    requireVersion(post, input.expectedVersion);
    return viewOf(await storePost(context, moveToTrash(post, { by, now })));
  },
  changes: "content",
  activity: ({ post }, _, deleted) => aboutPost(deleted, { was: post.status }),
});
