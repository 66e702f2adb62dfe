import { isDeepStrictEqual } from "node:util";
import { fail } from "#domain/failure";
import type { JsonObject } from "#domain/json";
import type { Post } from "#domain/post";
import { slugsOf } from "#domain/post-life";
import { actionBetween } from "#domain/suggestion";
import type { OnPost } from "../../kernel/operation.ts";
import { suggestionHead } from "../../kernel/own-suggestion.ts";
import { keepSuggestion } from "../../kernel/suggestion-records.ts";

/**
 * Keeps the next state of a held post as a suggestion; the post stays as it is. Every operation on a post comes here when it saves, so none can
 * forget it. Null when another post has the suggested slug.
 */
export async function holdPost(context: OnPost, next: Post): Promise<Post | null> {
  const { stored, suggestion, post, content, website } = context;
  const conflicts = post.suggestion?.conflicts ?? [];
  if (suggestion && conflicts.length > 0) {
    throw fail(
      "VERSION_CONFLICT",
      `Your suggestion ${suggestion.id} for this post and later changes by people touch the same parts (${conflicts.join(", ")}). Wait until a person has accepted or rejected it in the dashboard.`,
      { currentVersion: stored.version, suggestion: suggestion.id },
    );
  }
  const { slug } = next.working;
  if (!slugsOf(stored).has(slug)) {
    const owner = (await content.claims.owners(website.id, "post", [slug])).get(slug);
    if (owner !== undefined && owner !== stored.id) return null;
  }
  const kept = await keepSuggestion(context, suggestion, {
    targetId: stored.id,
    label: stored.working.title,
    baseVersion: stored.version,
    base: stored.working as unknown as JsonObject,
    proposed: isDeepStrictEqual(next.working, stored.working) ? null : (next.working as unknown as JsonObject),
    action: actionBetween(stored, next) ?? suggestion?.action ?? null,
  });
  return Object.assign({ ...stored, working: next.working }, kept.status === "open" && { suggestion: suggestionHead(kept) });
}
