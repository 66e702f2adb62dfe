import { postOperation } from "../kernel/operation.ts";
import { type OpenPost, openView } from "./helpers/post-view.ts";

export const getPost = postOperation({
  name: "get_post",
  summary: "Read a post: its working copy, live copy, status and version.",
  permission: "post.read",
  input: {},
  run: async ({ post }): Promise<OpenPost> => openView(post),
  activity: "none",
});
