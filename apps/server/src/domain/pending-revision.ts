import type { Post, Revision } from "#domain/post";

/** The revision that a post has pending, as it goes to the history. */
export const pendingRevisionOf = ({ pendingRevision, websiteId, id, working }: Post): Revision | null =>
  pendingRevision && { ...pendingRevision, websiteId, postId: id, content: working };
