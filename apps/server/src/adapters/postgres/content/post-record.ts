import type { Post } from "#domain/post";
import type { StoredRecord } from "./record.ts";

export const recordOf = (post: Post, visible: boolean): StoredRecord => ({
  table: "posts",
  kind: "post",
  websiteId: post.websiteId,
  id: post.id,
  visible,
});
