import { diffLines, diffWordsWithSpace } from "diff";

export interface DiffPart {
  readonly type: "same" | "added" | "removed";
  readonly text: string;
}

/**
 * How many insertions and deletions are searched for before two texts count as wholly different. Bounds the work:
 * it grows with the square of this, however long the texts are.
 */
const MAX_LINE_EDITS = 2_000;
const MAX_WORD_EDITS = 1_000;

/** Word by word what became of a text: lines are matched first, then words inside lines that changed. */
export function wordDiff(before: string, after: string): readonly DiffPart[] {
  if (before === after) return before === "" ? [] : [{ type: "same", text: before }];
  const parts: DiffPart[] = [];
  const lines = diffLines(before, after, { maxEditLength: MAX_LINE_EDITS });
  if (!lines) return replaced(before, after);
  let removed = "";
  let added = "";
  const flush = () => {
    if (removed !== "" || added !== "") parts.push(...wordsOf(removed, added));
    removed = "";
    added = "";
  };
  for (const line of lines) {
    if (line.removed) removed += line.value;
    else if (line.added) added += line.value;
    else {
      flush();
      parts.push({ type: "same", text: line.value });
    }
  }
  flush();
  return parts;
}

function wordsOf(removed: string, added: string): readonly DiffPart[] {
  if (removed === "" || added === "") return replaced(removed, added);
  const words = diffWordsWithSpace(removed, added, { maxEditLength: MAX_WORD_EDITS });
  if (!words) return replaced(removed, added);
  return words.map((word) => ({ type: word.added ? "added" : word.removed ? "removed" : "same", text: word.value }) as const);
}

function replaced(before: string, after: string): readonly DiffPart[] {
  const parts: DiffPart[] = [
    { type: "removed", text: before },
    { type: "added", text: after },
  ];
  return parts.filter((part) => part.text !== "");
}
