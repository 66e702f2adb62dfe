import type { LivePost, Post, PostSummary } from "#domain/post";
import type { PostHead } from "#domain/post-head";

/**
 * A published post for a person who may read published posts and nothing else: the live copy replaces the working
 * copy, and nothing tells what is planned. It is only ever shown: nobody who sees it so may write it.
 */
export function publishedView(post: Post): Post {
  if (!post.live) return post;
  return { ...post, working: post.live.content, workingMediaIds: post.live.mediaIds, ...NOTHING_PLANNED };
}

/** The same for a line of a list. */
export const publishedSummary = (post: PostSummary, live: LivePost): PostSummary => ({
  ...post,
  working: live.content,
  workingMediaIds: live.mediaIds,
  ...NOTHING_PLANNED,
});

export const publishedHead = (head: PostHead, { content }: LivePost): PostHead => ({
  ...head,
  title: content.title,
  slug: content.slug,
  hasUnpublishedChanges: false,
  waitsForReview: false,
});

const NOTHING_PLANNED = { hasUnpublishedChanges: false, slugFollowsTitle: false, review: null } as const;
