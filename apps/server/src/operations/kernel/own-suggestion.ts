import { mediaIdsOf } from "#domain/media-ids";
import type { JsonObject } from "#domain/json";
import type { Post } from "#domain/post";
import { differs } from "#domain/post-life";
import { concernsReaders, mergeFields, type Suggestion, suggestedFields } from "#domain/suggestion";
import { wholeContent } from "../posts/helpers/content-input.ts";
import type { InWebsite, OnPost, SuggestionHead } from "./operation.ts";
import { findOwnSuggestion } from "./suggestion-records.ts";

/** Whether a person decides first about what the caller would change of this post. */
export const isHeld = ({ actor, website }: InWebsite, post: Pick<Post, "status" | "live">): boolean =>
  actor.type === "tool" && website.settings.holdToolChanges && concernsReaders(post);

/**
 * A post as a connected tool sees it that has an open suggestion for it: with the suggested words in place of the working copy, so that the
 * tool reads and changes its own words further. Everybody else, and everything that is saved, goes by `stored`.
 */
export async function withOwnSuggestion(context: InWebsite, stored: Post): Promise<Pick<OnPost, "post" | "stored" | "suggestion">> {
  const asItIs = { post: stored, stored, suggestion: null };
  if (!isHeld(context, stored)) return asItIs;
  const suggestion = await findOwnSuggestion(context, stored.id);
  if (!suggestion) return asItIs;
  const { merged, conflicts } = mergeFields(suggestion, stored.working as unknown as JsonObject);
  const parsed = wholeContent.safeParse(merged);
  if (!parsed.success) return asItIs;
  const working = parsed.data;
  const hasUnpublishedChanges = differs(stored.status === "published" ? stored.live : null, working);
  const post = {
    ...stored,
    working,
    workingMediaIds: mediaIdsOf(working),
    hasUnpublishedChanges,
    suggestion: suggestionHead(suggestion, conflicts),
  };
  return { post, stored, suggestion };
}

export const suggestionHead = (suggestion: Suggestion, conflicts: readonly string[] = []): SuggestionHead => ({
  id: suggestion.id,
  version: suggestion.version,
  fields: suggestedFields(suggestion),
  action: suggestion.action,
  conflicts,
});
