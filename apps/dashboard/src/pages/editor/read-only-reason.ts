import type { PostStatus } from "@stet/contract";
import { capital } from "../../lib/format.ts";
import { mayOn } from "../../shell/may-on-post.ts";
import type { PlaceValue } from "../../shell/place.tsx";

/** Why the text cannot be changed; null when it can. */
export function readOnlyReason(place: PlaceValue, post: { readonly ownerId: string | null; readonly status: PostStatus }): string | null {
  if (post.status === "deleted") return "This post is in the trash. Restore it to edit it.";
  if (!mayOn(place, "post.write", post)) {
    return `${capital(place.workspace.role)}s can only edit their own posts.`;
  }
  return null;
}
