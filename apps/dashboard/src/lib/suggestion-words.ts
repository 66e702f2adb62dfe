import { partName } from "./part-names.ts";
import { formatDateTime } from "./time.ts";

/** The parts of a suggestion that its words are made of. */
export interface SuggestionFacts {
  readonly target: "post" | "category" | "tag" | "author" | "image";
  /** Names of the fields that it changes. */
  readonly fields: readonly string[];
  readonly action: SuggestedAction | null;
}
type SuggestedAction =
  | { readonly type: "publish" | "unpublish" | "delete" | "restore" }
  | { readonly type: "schedule"; readonly at: string };

/** "title, excerpt and text" */
export function listWords(names: readonly string[]): string {
  const [last = "", ...others] = names.toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(", ")} and ${last}`;
}

/** In the order of a post, words first; the panel calls search and social by a shorter name. */
const FIRST = ["title", "name", "excerpt", "body"];
const nameOf = (field: string): string => (field === "seo" ? "SEO" : partName(field));
const inOrder = (fields: readonly string[]): string[] => [
  ...FIRST.filter((field) => fields.includes(field)),
  ...fields.filter((field) => !FIRST.includes(field)),
];

/** Follows the name of an app: "suggests changes to title and text, and asks to publish them". */
export function suggestionWords({ target, fields, action }: SuggestionFacts, isDecided = false): string {
  const [suggests, asks] = isDecided ? ["suggested", "asked"] : ["suggests", "asks"];
  if (fields.length === 0) return action ? `${suggests} ${stepWords(action, target)}` : `${suggests} no change`;
  const changes = `${suggests} changes to ${listWords(inOrder(fields).map(nameOf))}`;
  if (!action) return changes;
  if (action.type === "publish") return `${changes}, and ${asks} to publish them`;
  return `${changes}, and ${stepWords(action, target)}`;
}

/** "unpublishing this post" */
function stepWords(action: SuggestedAction, target: SuggestionFacts["target"]): string {
  switch (action.type) {
    case "publish":
      return `publishing this ${target}`;
    case "schedule":
      return `publishing this ${target} on ${formatDateTime(action.at)}`;
    case "unpublish":
      return `unpublishing this ${target}`;
    case "restore":
      return `restoring this ${target} from the trash`;
    case "delete":
      return isTrashed(target) ? `moving this ${target} to the trash` : `deleting this ${target}`;
  }
}

/** Whether accepting it takes something away that no click brings back. */
export const isFinal = ({ target, action }: SuggestionFacts): boolean => action?.type === "delete" && !isTrashed(target);

/** Categories, tags and authors have no trash. */
const isTrashed = (target: SuggestionFacts["target"]): boolean => target === "post" || target === "image";

const LABELS = { publish: "publish", schedule: "schedule", unpublish: "unpublish", restore: "restore" } as const;
const ALONE = { publish: "Publish", schedule: "Schedule", unpublish: "Unpublish", restore: "Restore" } as const;

/** The label of the button that accepts all of it. */
export function acceptLabel({ target, fields, action }: SuggestionFacts): string {
  if (!action) return "Accept";
  if (action.type === "delete") return isTrashed(target) ? "Move to trash" : `Delete ${target}`;
  return fields.length === 0 ? ALONE[action.type] : `Accept and ${LABELS[action.type]}`;
}

/** Says what came of accepting it. */
export function acceptedWords({ target, fields, action }: SuggestionFacts): string {
  switch (action?.type) {
    case undefined:
      return target === "post" ? "Accepted. The changes are in the post." : "Accepted. Readers see the change now.";
    case "publish":
      return fields.length > 0 ? "Accepted and published. Readers see the changes now." : "Published. Readers see it now.";
    case "schedule":
      return `Scheduled for ${formatDateTime(action.at)}.`;
    case "unpublish":
      return "Unpublished. Readers no longer see it.";
    case "restore":
      return "Restored as draft.";
    case "delete":
      return isTrashed(target) ? "Moved to trash." : `The ${target} was deleted.`;
  }
}

/** What accepting would do beside changing fields, for the head of a comparison; empty: nothing else. */
export const alsoWords = ({ target, fields, action }: SuggestionFacts): string =>
  action ? `Accepting it ${fields.length > 0 ? "also " : ""}${ACCEPTING[action.type](action, target)}.` : "";

const ACCEPTING: Record<SuggestedAction["type"], (action: SuggestedAction, target: SuggestionFacts["target"]) => string> = {
  publish: (_, target) => `publishes the ${target}`,
  schedule: (action, target) => `schedules the ${target} for ${action.type === "schedule" ? formatDateTime(action.at) : "later"}`,
  unpublish: (_, target) => `unpublishes the ${target}`,
  restore: (_, target) => `restores the ${target} from the trash`,
  delete: (_, target) =>
    isTrashed(target) ? `moves the ${target} to the trash` : `deletes the ${target}, and removes it from every post. This cannot be undone`,
};
