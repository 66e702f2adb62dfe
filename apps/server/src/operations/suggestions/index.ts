import { acceptSuggestion } from "./accept-suggestion.ts";
import { getSuggestion } from "./get-suggestion.ts";
import { countSuggestions, listSuggestions } from "./list-suggestions.ts";
import { rejectSuggestion, reopenSuggestion } from "./reject-suggestion.ts";

export const operations = {
  list_suggestions: listSuggestions,
  count_suggestions: countSuggestions,
  get_suggestion: getSuggestion,
  accept_suggestion: acceptSuggestion,
  reject_suggestion: rejectSuggestion,
  reopen_suggestion: reopenSuggestion,
} as const;
