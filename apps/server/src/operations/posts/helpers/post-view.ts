import type { PostContent, PostSummary } from "#domain/post";
import type { Activity, SeenPost, SuggestionHead } from "../../kernel/operation.ts";

/** A post as people and tools see it after a change: everything but the bodies, which they sent themselves. */
export interface PostView extends PostSummary {
  /** The change waits for a person: what is here is the tool's suggestion. */
  readonly suggestion?: SuggestionHead;
}

/** A post opened to read or edit it: the working copy whole, and what is live. */
export interface OpenPost extends Omit<PostView, "working"> {
  readonly working: PostContent;
  readonly live: { readonly content: PostContent; readonly wordCount: number; readonly readingMinutes: number } | null;
}

export function viewOf(post: SeenPost): PostView {
  const { pendingEvents: _events, pendingRevision: _revision, live, working, ...rest } = post;
  const { body: _, ...content } = working;
  return { ...rest, working: content, publishedAt: live?.publishedAt ?? null, updatedAt: live?.updatedAt ?? null };
}

export function openView(post: SeenPost): OpenPost {
  const { live } = post;
  const shown = live && { content: live.content, wordCount: live.rendering.wordCount, readingMinutes: live.rendering.readingMinutes };
  return { ...viewOf(post), working: post.working, live: shown };
}

export function aboutPost(post: PostView, details: Activity["details"] = {}): Activity {
  return {
    target: { id: post.id, label: post.working.title },
    details: { version: post.version, ...(post.suggestion && { suggestion: post.suggestion.id }), ...details },
  };
}
