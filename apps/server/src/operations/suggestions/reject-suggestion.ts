import { fail } from "#domain/failure";
import { websiteOperation } from "../kernel/operation.ts";
import { decideSuggestion, openSuggestions } from "../kernel/suggestion-records.ts";
import {
  aboutSuggestion,
  requireDecider,
  requireOpen,
  requireSuggestion,
  suggestionId,
  type SuggestionView,
  suggestionView,
} from "./helpers/suggestion-view.ts";

/** Nothing of it was in the text, so nothing has to be taken out. */
export const rejectSuggestion = websiteOperation({
  name: "reject_suggestion",
  summary: "Reject a suggestion of a connected app. Its target stays as it is.",
  permission: "suggestion.decide",
  input: { suggestionId },
  async run(context, input): Promise<SuggestionView> {
    const suggestion = await requireOpen(context, input.suggestionId);
    await requireDecider(context, suggestion);
    return suggestionView(await decideSuggestion(context, suggestion, "rejected"));
  },
  changes: "nothing",
  activity: (_, __, suggestion) => aboutSuggestion(suggestion),
});

/** For somebody who rejected it by mistake. */
export const reopenSuggestion = websiteOperation({
  name: "reopen_suggestion",
  summary: "Reopen a suggestion that was rejected.",
  permission: "suggestion.decide",
  input: { suggestionId },
  async run(context, input): Promise<SuggestionView> {
    const suggestion = await requireSuggestion(context, input.suggestionId);
    await requireDecider(context, suggestion);
    if (suggestion.status !== "rejected") {
      throw fail("INVALID_TRANSITION", "Only a rejected suggestion can be reopened.", { status: suggestion.status });
    }
    const { targetId, by } = suggestion;
    for await (const other of openSuggestions(context, targetId)) {
      if (other.by.id === by.id) throw fail("INVALID_TRANSITION", "The app has made a newer suggestion. Decide on that one.");
    }
    return suggestionView(await decideSuggestion(context, suggestion, "open"));
  },
  changes: "nothing",
  activity: (_, __, suggestion) => aboutSuggestion(suggestion),
});
