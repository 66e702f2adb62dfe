import { isDeepStrictEqual } from "node:util";
import { fail } from "#domain/failure";
import type { JsonObject } from "#domain/json";
import { mergeFields, type SuggestedAction } from "#domain/suggestion";
import type { InWebsite, SuggestionHead } from "./operation.ts";
import { suggestionHead } from "./own-suggestion.ts";
import { findOwnSuggestion, keepSuggestion } from "./suggestion-records.ts";

/** A term or an image, with the fields that people can change. */
export interface Thing {
  readonly id: string;
  readonly label: string;
  readonly version: number;
  readonly fields: object;
}

/** Whether a person decides first about what the caller would change of a term or an image that posts show. */
export const holdsThings = ({ actor, website }: InWebsite): boolean => actor.type === "tool" && website.settings.holdToolChanges;

/** Keeps a change of a term or an image as a suggestion; the thing stays as it is. */
export async function holdThing(
  context: InWebsite,
  thing: Thing,
  change: { readonly fields?: object; readonly action?: SuggestedAction },
): Promise<SuggestionHead | null> {
  const earlier = await findOwnSuggestion(context, thing.id);
  const base = plain(thing.fields);
  const { merged, conflicts } = earlier ? mergeFields(earlier, base) : { merged: base, conflicts: [] };
  if (earlier && conflicts.length > 0) {
    throw fail(
      "VERSION_CONFLICT",
      `Your suggestion ${earlier.id} and later changes by people touch the same parts (${conflicts.join(", ")}). Wait until a person has accepted or rejected it in the dashboard.`,
      { currentVersion: thing.version, suggestion: earlier.id },
    );
  }
  const given = Object.entries(plain(change.fields ?? {})).filter(([name, value]) => !isDeepStrictEqual(value, base[name]));
  const proposed: JsonObject = { ...merged, ...Object.fromEntries(given) };
  const kept = await keepSuggestion(context, earlier, {
    targetId: thing.id,
    label: thing.label,
    baseVersion: thing.version,
    base,
    proposed: isDeepStrictEqual(proposed, base) ? null : proposed,
    action: change.action ?? earlier?.action ?? null,
  });
  return kept.status === "open" ? suggestionHead(kept) : null;
}

/** For the view of a thing: with the suggestion, if there is one. */
export const suggested = (head: SuggestionHead | null): { suggestion?: SuggestionHead } => (head ? { suggestion: head } : {});

const plain = (fields: object): JsonObject => JSON.parse(JSON.stringify(fields)) as JsonObject;

/** For steps that no tool has today: a person takes them. */
export function refuseWhileHeld(context: InWebsite): void {
  if (!holdsThings(context)) return;
  throw fail("GRANT_FORBIDS", "This website holds app changes for review, so an app cannot do this. A person can, in the dashboard.", {
    setting: "holdToolChanges",
  });
}
