import type { Permission } from "../../api/registry.ts";
import type { PlaceValue } from "../../shell/place.tsx";

interface Owned {
  readonly ownerId: string | null;
}

/** Whether a permission reaches this post. The server decides again; this only spares people a refusal. */
export function reaches(place: PlaceValue, permission: Permission, post: Owned): boolean {
  const reach = place.reach(permission);
  return reach === "any" || (reach === "own" && post.ownerId === place.session.user.id);
}

/** Why the text cannot be changed; null when it can. */
export function readOnlyReason(place: PlaceValue, post: Owned & { readonly status: string }): string | null {
  if (post.status === "deleted") return "This post is in the trash. Restore it to go on writing.";
  if (!reaches(place, "post.write", post)) {
    return `You can read this post but not change it: with the role ${place.workspace.role}, one edits one's own posts. Ask an editor, or make a copy.`;
  }
  return null;
}
