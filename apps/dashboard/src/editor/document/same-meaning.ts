import type { Mark, Node } from "@tiptap/pm/model";

/** Matters of taste in the source, which no reader sees. */
const TASTE: ReadonlySet<string> = new Set(["marker", "bare", "colwidth"]);

/** Whether two blocks would be the same to a reader. */
export function sameMeaning(a: Node, b: Node): boolean {
  if (a === b) return true;
  if (a.type !== b.type || a.text !== b.text || a.childCount !== b.childCount) return false;
  if (!sameAttributes(a.attrs, b.attrs) || !sameMarks(a.marks, b.marks)) return false;
  for (let i = 0; i < a.childCount; i++) if (!sameMeaning(a.child(i), b.child(i))) return false;
  return true;
}

function sameMarks(a: readonly Mark[], b: readonly Mark[]): boolean {
  return a.length === b.length && a.every((mark, i) => mark.type === b[i]!.type && sameAttributes(mark.attrs, b[i]!.attrs));
}

function sameAttributes(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(a).every((name) => TASTE.has(name) || a[name] === b[name]);
}
