import type { Node } from "@tiptap/pm/model";
import { copyOf, parse } from "./grammar.ts";
import type { Context } from "./grammar.ts";
import { readBlocks } from "./read-blocks.ts";
import { sameMeaning } from "./same-meaning.ts";
import { UnsupportedBlock } from "./unsupported-block.ts";
import { writeBlock } from "./write-blocks.ts";
import type { MarkdownStyle } from "./write-inline.ts";

type Emphasis = MarkdownStyle["emphasis"];

/** From the form a person would type to the one that nothing can misread. */
const manners = (emphasis: Emphasis): readonly MarkdownStyle[] => {
  const other = emphasis === "*" ? "_" : "*";
  return [
    { escaping: "light", emphasis, address: "plain", encodeEdges: false },
    { escaping: "light", emphasis: other, address: "angle", encodeEdges: false },
    { escaping: "full", emphasis, address: "angle", encodeEdges: false },
    { escaping: "full", emphasis: other, address: "link", encodeEdges: false },
    { escaping: "full", emphasis: "*", address: "link", encodeEdges: true },
    { escaping: "full", emphasis: "_", address: "link", encodeEdges: true },
  ];
};

/** Markdown that reads back as this very block, in the plainest form that does; null when there is none. */
export function writeFaithfully(node: Node, context: Context, emphasis: Emphasis, marker?: string): string | null {
  for (const style of manners(emphasis)) {
    const text = writeBlock(node, style, false, marker);
    const read = readAlone(text, node, context);
    if (read !== null && sameMeaning(read, node)) return text;
  }
  return null;
}

/** The last resort for what Markdown cannot say: nothing of the text is lost, though its shape may be another. */
export const writeSafely = (node: Node, emphasis: Emphasis): string => writeBlock(node, manners(emphasis).at(-2)!);

function readAlone(text: string, node: Node, context: Context): Node | null {
  try {
    const blocks = readBlocks(parse(text, copyOf(context)), node.type.schema);
    return blocks.length === 1 ? blocks[0]! : null;
  } catch (error) {
    if (error instanceof UnsupportedBlock) return null;
    throw error;
  }
}
