import type { PostSummary } from "@stet/client";
import { type CollectionEntry, getCollection } from "astro:content";

export interface LoadedPost {
  readonly post: PostSummary;
  readonly entry: CollectionEntry<"posts">;
}

/** Newest first. */
export async function loadPosts(): Promise<LoadedPost[]> {
  const entries = await getCollection("posts");
  const posts = entries.map((entry) => ({ entry, post: entry.data as unknown as PostSummary }));
  return posts.toSorted((a, b) => b.post.publishedAt.localeCompare(a.post.publishedAt) || b.post.id.localeCompare(a.post.id));
}

export const KINDS = ["category", "tag", "author"] as const;
type Term = PostSummary["categories"][number] & { readonly avatar?: PostSummary["coverImage"] };

/** Which categories, tags or authors a post has. */
export const termsOf = (post: PostSummary, kind: (typeof KINDS)[number]): readonly Term[] =>
  ({ category: post.categories, tag: post.tags, author: post.authors })[kind];

export const POSTS_PER_PAGE = 10;
