import type { ListedPost } from "../api/answers.ts";
import type { Permission } from "../api/registry.ts";
import type { PlaceValue } from "./place.tsx";

/** Whether a permission reaches this post. It only decides what is offered: the server decides what is done. */
export function mayOn(place: PlaceValue, permission: Permission, post: Pick<ListedPost, "ownerId" | "status">): boolean {
  const reach = place.reach(permission);
  if (reach === "any") return true;
  if (reach === "none") return false;
  return post.ownerId === place.session.user.id || (reach === "own or published" && post.status === "published");
}
