import { LIMITS } from "@stet/contract";
import { postOperation } from "../kernel/operation.ts";
import { createFrom } from "./create-post.ts";
import { aboutPost, type PostView } from "./helpers/post-view.ts";

const SUFFIX = " (copy)";

/** A new draft with the same working copy. Slug, dates, history and state are its own. */
export const duplicatePost = postOperation({
  name: "duplicate_post",
  summary: "Duplicate a post as a draft.",
  permission: "post.create",
  input: {},
  run(context): Promise<PostView> {
    const { slug: _, title, ...content } = context.post.working;
    const room = LIMITS.titleCharacters - SUFFIX.length;
    const copied = `${[...title].slice(0, room).join("")}${SUFFIX}`;
    return createFrom(context, { ...content, title: copied, publishedAt: null });
  },
  changes: "nothing",
  activity: ({ post }, _, copy) => aboutPost(copy, { from: post.id }),
});
