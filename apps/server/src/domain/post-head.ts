import type { Post, PostSummary } from "#domain/post";
import type { Timestamp } from "#domain/time";

/** A line of a list: what one needs to find a post, to name it and to write to it. */
export interface PostHead extends Pick<
  Post,
  "id" | "ownerId" | "status" | "version" | "editedAt" | "scheduledAt" | "hasUnpublishedChanges"
> {
  /** Of the working copy, as the slug is. */
  readonly title: string;
  readonly slug: string;
  readonly publishedAt: Timestamp | null;
  readonly waitsForReview: boolean;
}

type Headed = Omit<PostSummary, "working"> & { readonly working: { readonly title: string; readonly slug: string } };

export const headOf = (post: Headed): PostHead => ({
  id: post.id,
  title: post.working.title,
  slug: post.working.slug,
  status: post.status,
  version: post.version,
  editedAt: post.editedAt,
  publishedAt: post.publishedAt,
  scheduledAt: post.scheduledAt,
  hasUnpublishedChanges: post.hasUnpublishedChanges,
  waitsForReview: post.review !== null,
  ownerId: post.ownerId,
});
