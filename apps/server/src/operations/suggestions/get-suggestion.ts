import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "#domain/json";
import type { PostContent } from "#domain/post";
import { websiteOperation } from "../kernel/operation.ts";
import { type ContentDiff, diffContents } from "../posts/helpers/diff-contents.ts";
import { wholeContent } from "../posts/helpers/content-input.ts";
import { findTarget, mergedWith } from "./helpers/compare.ts";
import { requireSuggestion, suggestionId, type SuggestionView, suggestionView } from "./helpers/suggestion-view.ts";

export interface OpenSuggestion extends SuggestionView {
  /** The difference that accepting it would make, with the suggested words where both sides changed; null: its target is gone. */
  readonly diff: ContentDiff | null;
  /** Fields that people changed since, too, in another way. */
  readonly conflicts: readonly string[];
  /** Of those: what people changed them to meanwhile. */
  readonly since: ContentDiff | null;
}

export const getSuggestion = websiteOperation({
  name: "get_suggestion",
  summary: "Read a suggestion of a connected app, compared with how its target is now.",
  permission: "suggestion.decide",
  input: { suggestionId },
  async run(context, input): Promise<OpenSuggestion> {
    const suggestion = await requireSuggestion(context, input.suggestionId);
    const view = suggestionView(suggestion);
    // Once it was decided, it is shown as it was made.
    const current = suggestion.status === "open" ? await findTarget(context, suggestion) : null;
    if (suggestion.status === "open" && !current) return { ...view, diff: null, conflicts: [], since: null };
    const before = current?.fields ?? suggestion.base;
    const { merged, conflicts } = current
      ? mergedWith(suggestion, current, "suggested")
      : { merged: suggestion.proposed ?? suggestion.base, conflicts: [] };
    const since = conflicts.length > 0 && current ? diffFields(suggestion.base, current.fields) : null;
    return { ...view, diff: diffFields(before, merged), conflicts, since };
  },
  activity: "none",
});

/** Word by word for posts; terms and images have short fields. */
function diffFields(before: JsonObject, after: JsonObject): ContentDiff {
  const [one, other] = [wholeContent.safeParse(before), wholeContent.safeParse(after)];
  if (one.success && other.success) return diffContents(one.data as PostContent, other.data as PostContent);
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  );
  return { title: [], excerpt: [], body: [], fields: names.map((field) => ({ field, before: before[field], after: after[field] })) };
}
