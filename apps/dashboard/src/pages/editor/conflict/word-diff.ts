import { diffLines, diffWordsWithSpace } from "diff";

export interface DiffPart {
  readonly type: "same" | "added" | "removed";
  readonly text: string;
}

/** How many differences are searched for before two texts count as wholly different: bounds the work. */
const MOST_EDITS = 1_000;

/** What became of a text, word by word. Lines are matched first, so that long texts stay quick. */
export function wordDiff(before: string, after: string): readonly DiffPart[] {
  const lines = diffLines(before, after, { maxEditLength: MOST_EDITS });
  if (!lines) return replaced(before, after);
  const parts: DiffPart[] = [];
  let removed = "";
  let added = "";
  const flush = () => {
    const words = removed && added ? diffWordsWithSpace(removed, added, { maxEditLength: MOST_EDITS }) : undefined;
    parts.push(...(words?.map(partOf) ?? replaced(removed, added)));
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

const partOf = (change: { added: boolean; removed: boolean; value: string }): DiffPart => ({
  type: change.added ? "added" : change.removed ? "removed" : "same",
  text: change.value,
});

const replaced = (before: string, after: string): readonly DiffPart[] =>
  (
    [
      { type: "removed", text: before },
      { type: "added", text: after },
    ] as const
  ).filter(({ text }) => text !== "");
