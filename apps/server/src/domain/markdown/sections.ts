import { HeadingIds } from "@stet/markdown";

/** A heading of a body and what stands below it, down to the next heading of its depth. Positions count UTF-16 units. */
export interface Section {
  readonly id: string;
  readonly depth: number;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})(?=\s|$)/;

/**
 * The parts of a long body, to read one at a time. A scan of lines, not the parser: it must be cheap for a body of a megabyte,
 * and it only has to find headings written with `#` outside of code blocks, as nearly all are.
 */
export function sectionsOf(markdown: string): readonly Section[] {
  const ids = new HeadingIds();
  const found: { id: string; depth: number; text: string; start: number }[] = [];
  let fence: string | null = null;
  let start = 0;
  while (start < markdown.length) {
    const newline = markdown.indexOf("\n", start);
    const end = newline === -1 ? markdown.length : newline;
    const line = markdown.slice(start, Math.min(end, start + 1_000));
    const mark = FENCE.exec(line)?.[1];
    if (fence !== null) {
      if (mark && mark[0] === fence[0] && mark.length >= fence.length && line.trim() === mark) fence = null;
    } else if (mark) fence = mark;
    else {
      const heading = HEADING.exec(line);
      if (heading) {
        const text = withoutClosing(line.slice(heading[0].length).trim());
        found.push({ id: ids.next(text), depth: heading[1]!.length, text, start });
      }
    }
    start = end + 1;
  }
  // From the end: the nearest heading after, for each depth.
  const after = Array<number>(7).fill(markdown.length);
  return found
    .toReversed()
    .map((section) => {
      const end = Math.min(...after.slice(1, section.depth + 1));
      after[section.depth] = section.start;
      return { ...section, end };
    })
    .toReversed();
}

/** A heading may end with `#` after a space. Not one expression for all of it: a line of spaces would be read anew from each of them. */
function withoutClosing(text: string): string {
  let end = text.length;
  while (text[end - 1] === "#") end -= 1;
  return end === 0 || /\s/.test(text[end - 1]!) ? text.slice(0, end).trimEnd() : text;
}
