import { captionOf, HeadingIds, measure } from "@stet/markdown";
import type { Node } from "@tiptap/pm/model";
import type { OutlineHeading } from "../body-editor-props.ts";
import { loneImage } from "./lone-image.ts";

interface Measure {
  readonly words: number;
  readonly headings: readonly { readonly depth: number; readonly text: string }[];
}
/** Blocks that were not touched were measured before. */
const measured = new WeakMap<Node, Measure>();

export function measureBody(doc: Node): { readonly words: number; readonly headings: readonly OutlineHeading[] } {
  let words = 0;
  const headings: OutlineHeading[] = [];
  const ids = new HeadingIds();
  doc.forEach((block) => {
    const own = measured.get(block) ?? measureBlock(block);
    measured.set(block, own);
    words += own.words;
    for (const { depth, text } of own.headings) headings.push({ id: ids.next(text), depth, text });
  });
  return { words, headings };
}

function measureBlock(block: Node): Measure {
  const headings: { depth: number; text: string }[] = [];
  let titleWords = 0;
  const count = (title: string): void => void (titleWords += measure(captionOf(title)).wordCount);
  const collect = (node: Node): void => {
    if (node.type.name === "callout") count(String(node.attrs["title"]));
    count((loneImage(node)?.attrs["title"] as string | null | undefined) ?? "");
    if (node.type.name === "heading") headings.push({ depth: Number(node.attrs["level"]), text: textOf(node).trim() });
  };
  collect(block);
  block.descendants(collect);
  // Source is markup as much as it is text.
  const text = block.type.name === "sourceBlock" ? block.textContent.replace(/<[^>]*>/g, " ") : textOf(block);
  return { words: measure(text).wordCount + titleWords, headings };
}

const textOf = (node: Node): string =>
  node.textBetween(0, node.content.size, " ", (leaf) => (leaf.type.name === "image" || leaf.type.name === "footnoteReference" ? "" : " "));
