import type { ListedPost } from "./use-post-list.ts";

export const titleOf = (post: Pick<ListedPost, "working">): string => post.working.title.trim() || "Untitled";
