import type { PostStatus } from "@stet/contract";
import type { PlaceValue } from "../../shell/place.tsx";
import { mayOn } from "../posts/may-on.ts";

/** Why the text cannot be changed; null when it can. */
export function readOnlyReason(place: PlaceValue, post: { readonly ownerId: string | null; readonly status: PostStatus }): string | null {
  if (post.status === "deleted") return "This post is in the trash. Restore it to go on writing.";
  if (!mayOn(place, "post.write", post)) {
    return `You can read this post but not change it: with the role ${place.workspace.role}, one edits one's own posts. Ask an editor, or make a copy.`;
  }
  return null;
}
