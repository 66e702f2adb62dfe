import { diffLines } from "diff";

/** Lines of the base, `from` up to but without `to`, and what one side has in their place. */
interface Hunk {
  readonly from: number;
  to: number;
  text: string;
}

/** Beyond this many changed lines nobody merges two texts by machine; the search for them grows with the square. */
const MAX_LINE_EDITS = 1_000;

/**
 * Both sides' changes of a text in one, line by line, as version control merges: null when they changed the same lines, or lines that
 * touch each other, in different ways. A paragraph is a line of Markdown, so people who work on different paragraphs never conflict.
 */
export function mergeTexts(base: string, one: string, other: string): string | null {
  if (one === other || other === base) return one;
  if (one === base) return other;
  const ours = hunksOf(base, one);
  const theirs = hunksOf(base, other);
  if (!ours || !theirs) return null;
  const lines = linesOf(base);
  const merged: string[] = [];
  let position = 0;
  while (ours.length > 0 || theirs.length > 0) {
    const isOurs = theirs.length === 0 || (ours.length > 0 && ours[0]!.from <= theirs[0]!.from);
    const [mine, others] = isOurs ? [ours, theirs] : [theirs, ours];
    const next = mine.shift()!;
    const rival = others[0];
    if (rival && rival.from <= next.to) {
      // The same change on both sides is one change.
      if (rival.from !== next.from || rival.to !== next.to || rival.text !== next.text) return null;
      others.shift();
    }
    merged.push(lines.slice(position, next.from).join(""), next.text);
    position = next.to;
  }
  return [...merged, ...lines.slice(position)].join("");
}

/** With their line breaks, as the diff counts them. */
const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

function hunksOf(base: string, changed: string): Hunk[] | null {
  const parts = diffLines(base, changed, { maxEditLength: MAX_LINE_EDITS });
  if (!parts) return null;
  const hunks: Hunk[] = [];
  let line = 0;
  let open: Hunk | null = null;
  for (const { added, removed, value, count } of parts) {
    if (!added && !removed) {
      line += count;
      open = null;
      continue;
    }
    if (!open) hunks.push((open = { from: line, to: line, text: "" }));
    if (added) open.text += value;
    else {
      line += count;
      open.to = line;
    }
  }
  return hunks;
}
