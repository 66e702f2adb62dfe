import type { ListedPost } from "../api/answers.ts";
import type { Permission } from "../api/registry.ts";
import type { WebsiteContext } from "./website-context.ts";

/** Whether a permission reaches this post. This only decides which actions are offered: the server decides again. */
export function mayOnPost(context: WebsiteContext, permission: Permission, post: Pick<ListedPost, "ownerId" | "status">): boolean {
  const reach = context.reach(permission);
  if (reach === "any") return true;
  if (reach === "none") return false;
  return post.ownerId === context.session.user.id || (reach === "own or published" && post.status === "published");
}
