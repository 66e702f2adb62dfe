import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { fail } from "#domain/failure";
import type { JsonObject } from "#domain/json";
import type { Suggestion } from "#domain/suggestion";
import { expectedVersion } from "../kernel/inputs.ts";
import { type InWebsite, websiteOperation } from "../kernel/operation.ts";
import { changedMeanwhile, decideSuggestion } from "../kernel/suggestion-records.ts";
import { acceptForPost, requireAllowed } from "./helpers/accept-for-post.ts";
import { acceptForThing } from "./helpers/accept-for-thing.ts";
import { type CurrentTarget, findTarget, mergedWith } from "./helpers/compare.ts";
import {
  aboutSuggestion,
  requireDecider,
  requireOpen,
  suggestionId,
  type SuggestionView,
  suggestionView,
} from "./helpers/suggestion-view.ts";

/**
 * Does what a connected app suggested, as the person who accepts it and within their role. Every step is one that the person could have
 * taken; if one fails, the suggestion stays open and accepting it again goes on from there.
 */
export const acceptSuggestion = websiteOperation({
  name: "accept_suggestion",
  summary: "Accept a suggestion of a connected app, and do what it asks for.",
  permission: "suggestion.decide",
  input: {
    suggestionId,
    /** The version of the suggestion that the person saw. The app may change it at any time, and nobody accepts what they have not seen. */
    expectedVersion: expectedVersion.optional(),
    /** Fields that people changed since, too: "refuse" changes nothing and names them, "suggested" takes the suggestion's. */
    conflicts: z.enum(["refuse", "suggested"]).default("refuse"),
    /** Only the words, without publishing, scheduling or whatever else it asks for. */
    onlyContent: z.boolean().default(false),
  },
  async run(context, input): Promise<SuggestionView> {
    const suggestion = await requireOpen(context, input.suggestionId);
    await requireDecider(context, suggestion);
    if (input.expectedVersion !== undefined && input.expectedVersion !== suggestion.version) throw changedMeanwhile(suggestion.version);
    const current = await findTarget(context, suggestion);
    if (!current) throw fail("INVALID_TRANSITION", "The content that this suggestion changes was deleted. Reject the suggestion.");
    const asked = input.onlyContent ? { ...suggestion, action: null } : suggestion;
    const patch = patchOf(asked, current, input.conflicts);
    await (current.post ? acceptPost(context, asked, current.post, patch) : acceptForThing(context, asked, current, patch));
    return suggestionView(await decideSuggestion(context, suggestion, "accepted"));
  },
  changes: "content",
  activity: (_, __, suggestion) => aboutSuggestion(suggestion),
});

function acceptPost(
  context: InWebsite,
  suggestion: Suggestion,
  post: NonNullable<CurrentTarget["post"]>,
  patch: JsonObject,
): Promise<void> {
  requireAllowed(context, suggestion, post, patch);
  return acceptForPost(context, suggestion, post, patch);
}

/** The fields to change. */
function patchOf(suggestion: Suggestion, current: CurrentTarget, onConflict: "refuse" | "suggested"): JsonObject {
  const { merged, conflicts } = mergedWith(suggestion, current, "suggested");
  if (conflicts.length > 0 && onConflict === "refuse") {
    throw fail(
      "VERSION_CONFLICT",
      `Someone changed the same part after this was suggested (${conflicts.join(", ")}). Compare both, then use the suggested version or reject it.`,
      { conflicts: [...conflicts], currentVersion: current.version },
    );
  }
  return Object.fromEntries(Object.entries(merged).filter(([name, value]) => !isDeepStrictEqual(value, current.fields[name])));
}
