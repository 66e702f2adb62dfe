import type { SuggestionHead } from "#operations/kernel/operation";
import { oneLine } from "./content.ts";

/** Something that was changed, or that a person decides about first. */
interface Changed {
  readonly suggestion?: SuggestionHead;
}

/** In place of "Saved" where the website holds what tools change: what became of the call, and that it is not to be repeated. */
export const heldWords = ({ suggestion }: Changed): string | null =>
  suggestion
    ? `Not done yet: it waits as suggestion ${suggestion.id} until a person accepts it in the dashboard, because this website holds what apps change. Readers and people see no change so far; calling again changes the same suggestion. Suggested ${askedFor(suggestion)}`
    : null;

function askedFor({ fields, action }: SuggestionHead): string {
  const parts = [
    fields.length > 0 ? `changes of ${fields.map(oneLine).join(", ")}` : "",
    action ? (action.type === "schedule" ? `to schedule it for ${action.at}` : `to ${action.type} it`) : "",
  ].filter((part) => part !== "");
  return `${parts.join(" and ")}:`;
}
