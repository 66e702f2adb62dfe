import type { PostStatus } from "@stet/contract";
import { capital } from "../../lib/format.ts";
import { mayOnPost } from "../../shell/may-on-post.ts";
import type { WebsiteContext } from "../../shell/website-context.ts";

/** Why the text cannot be changed; null when it can. */
export function readOnlyReason(
  context: WebsiteContext,
  post: { readonly ownerId: string | null; readonly status: PostStatus },
): string | null {
  if (post.status === "deleted") return "This post is in the trash. Restore it to edit it.";
  if (!mayOnPost(context, "post.write", post)) {
    return `${capital(context.workspace.role)}s can only edit their own posts.`;
  }
  return null;
}
