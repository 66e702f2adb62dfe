import type { Node } from "@tiptap/pm/model";
import type { OutlineHeading } from "../body-editor-props.ts";

/** Written without spaces, about a word to a character; and those with about a word to five letters. */
const IDEOGRAPH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const UNSPACED = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’_.-]*/gu;

/** Counted as the service counts them. */
export function countWords(text: string): number {
  let count = 0;
  const spaced = text
    .replace(IDEOGRAPH, () => {
      count++;
      return " ";
    })
    .replace(UNSPACED, (run) => {
      count += Math.ceil(run.length / 5);
      return " ";
    });
  return count + (spaced.match(WORD)?.length ?? 0);
}

interface Measure {
  readonly words: number;
  readonly headings: readonly { readonly depth: number; readonly text: string }[];
}
/** Blocks that were not touched were measured before. */
const measured = new WeakMap<Node, Measure>();

export function measureBody(doc: Node): { readonly words: number; readonly headings: readonly OutlineHeading[] } {
  let words = 0;
  const headings: OutlineHeading[] = [];
  const nextId = headingIds();
  doc.forEach((block) => {
    const measure = measured.get(block) ?? measureBlock(block);
    measured.set(block, measure);
    words += measure.words;
    for (const { depth, text } of measure.headings) headings.push({ id: nextId(text), depth, text });
  });
  return { words, headings };
}

function measureBlock(block: Node): Measure {
  const headings: { depth: number; text: string }[] = [];
  let titleWords = 0;
  const collect = (node: Node): void => {
    if (node.type.name === "callout") titleWords += countWords(String(node.attrs["title"]));
    if (node.type.name === "heading") headings.push({ depth: Number(node.attrs["level"]), text: textOf(node).trim() });
  };
  collect(block);
  block.descendants(collect);
  // Source is markup as much as it is text.
  const text = block.type.name === "sourceBlock" ? block.textContent.replace(/<[^>]*>/g, " ") : textOf(block);
  return { words: countWords(text) + titleWords, headings };
}

const textOf = (node: Node): string =>
  node.textBetween(0, node.content.size, " ", (leaf) => (leaf.type.name === "image" || leaf.type.name === "footnoteReference" ? "" : " "));

/** Ids as the service gives them: from the text, the second of a name with a number. */
export function headingIds(): (text: string) => string {
  const taken = new Map<string, number>();
  return (text) => {
    const slug = text
      .slice(0, 100)
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, "")
      .replaceAll(" ", "-");
    const base = /^-*$/.test(slug) ? "section" : slug.startsWith("user-content-") ? `section-${slug}` : slug;
    let id = base;
    let count = taken.get(base);
    if (count !== undefined) {
      do id = `${base}-${++count}`;
      while (taken.has(id));
      taken.set(base, count);
    }
    taken.set(id, 0);
    return id;
  };
}
