import { diffLines, diffWordsWithSpace } from "diff";

export interface DiffPart {
  readonly type: "same" | "added" | "removed";
  readonly text: string;
}

/**
 * How many insertions and deletions are searched for before two texts count as wholly different. The work grows with the square
 * of this, however long the texts are, and nobody else is served meanwhile.
 */
const MAX_LINE_EDITS = 1_000;
const MAX_WORD_EDITS = 500;
/** For the words of all places together: a text that was changed in a thousand of them would otherwise take a minute. */
const WORD_WORK = 1_000_000;

/** Word by word what became of a text: lines are matched first, then words inside lines that changed. */
export function wordDiff(before: string, after: string): readonly DiffPart[] {
  if (before === after) return before === "" ? [] : [{ type: "same", text: before }];
  const parts: DiffPart[] = [];
  const lines = diffLines(before, after, { maxEditLength: MAX_LINE_EDITS });
  if (!lines) return replaced(before, after);
  let removed = "";
  let added = "";
  const work = { left: WORD_WORK };
  const flush = () => {
    if (removed !== "" || added !== "") parts.push(...wordsOf(removed, added, work));
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

function wordsOf(removed: string, added: string, work: { left: number }): readonly DiffPart[] {
  const maxEditLength = Math.min(MAX_WORD_EDITS, Math.floor(Math.sqrt(work.left)));
  if (removed === "" || added === "" || maxEditLength === 0) return replaced(removed, added);
  const words = diffWordsWithSpace(removed, added, { maxEditLength });
  const edits = words?.reduce((sum, word) => sum + (word.added || word.removed ? word.count : 0), 0);
  work.left -= (edits ?? maxEditLength) ** 2;
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
