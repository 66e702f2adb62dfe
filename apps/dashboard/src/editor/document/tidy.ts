import { Fragment } from "@tiptap/pm/model";
import type { Node } from "@tiptap/pm/model";
import { addressesIn } from "../markdown/grammar.ts";

/**
 * The nearest block that Markdown can say: no empty paragraphs beside others, no spaces at the edges of a line or of
 * emphasis, a table whose first row is its head, and addresses that stand in the text as the links they will become.
 */
export function tidy(node: Node): Node {
  if (node.type.spec.code === true || node.isLeaf) return node;
  if (node.isTextblock) return node.copy(Fragment.fromArray(tidyInline(node)));
  const children = node.content.content.filter((child, _i, all) => all.length === 1 || !isEmptyParagraph(child)).map(tidy);
  if (children.length === 0) children.push(node.firstChild!);
  if (node.type.name === "table") return node.copy(Fragment.fromArray(children.map((row, i) => tidyRow(row, i === 0))));
  return node.copy(Fragment.fromArray(children));
}

export const isEmptyParagraph = (node: Node): boolean => node.type.name === "paragraph" && node.content.size === 0;

function tidyRow(row: Node, isHead: boolean): Node {
  const type = row.type.schema.nodes[isHead ? "tableHeader" : "tableCell"]!;
  return row.copy(
    Fragment.fromArray(row.content.content.map((cell) => type.create({ align: cell.attrs["align"] as string | null }, cell.content))),
  );
}

const EDGES = new Set(["bold", "italic", "strike"]);
const isBreak = (node: Node | undefined): boolean => node === undefined || node.type.name === "hardBreak" || node.type.name === "softBreak";

function tidyInline(block: Node): Node[] {
  let nodes = splitAtSpaces(block.content.content.flatMap(linked));
  // Emphasis neither begins nor ends with a space.
  nodes = nodes.map((node, i) => {
    if (!node.isText || (node.text ?? "").trim() !== "" || node.marks.some(({ type }) => type.name === "code")) return node;
    const before = nodes[i - 1]?.marks ?? [];
    const after = nodes[i + 1]?.marks ?? [];
    return node.mark(node.marks.filter((mark) => !EDGES.has(mark.type.name) || (mark.isInSet(before) && mark.isInSet(after))));
  });
  // Lines neither begin nor end with spaces, and the text neither begins nor ends with a break.
  while (nodes.length > 0 && (isBreak(nodes[0]) || isBlank(nodes[0]!))) nodes.shift();
  while (nodes.length > 0 && (isBreak(nodes.at(-1)) || isBlank(nodes.at(-1)!))) nodes.pop();
  return nodes.filter((node, i) => !isBlank(node) || !(isBreak(nodes[i - 1]) || isBreak(nodes[i + 1])));
}

const isBlank = (node: Node): boolean =>
  node.isText && /^[ \t]+$/.test(node.text ?? "") && !node.marks.some(({ type }) => type.name === "code");

/** Spaces at the edges of a text become texts of their own, so that they can be judged alone. */
function splitAtSpaces(nodes: readonly Node[]): Node[] {
  return nodes.flatMap((node) => {
    if (!node.isText || node.marks.some(({ type }) => type.name === "code")) return [node];
    const [, before, middle, after] = /^([ \t]*)(.*?)([ \t]*)$/s.exec((node.text ?? "").replace(/[\n\r]/g, " "))!;
    return [before!, middle!, after!].filter((text) => text !== "").map((text) => node.type.schema.text(text, node.marks));
  });
}

function linked(node: Node): Node[] {
  if (!node.isText || node.marks.some(({ type }) => type.name === "link" || type.name === "code")) return [node];
  const text = node.text ?? "";
  const nodes: Node[] = [];
  let at = 0;
  for (const { start, end, href } of addressesIn(text)) {
    if (start > at) nodes.push(node.cut(at, start));
    const link = node.type.schema.mark("link", { href, bare: true });
    nodes.push(node.cut(start, end).mark(link.addToSet(node.marks)));
    at = end;
  }
  return at === 0 ? [node] : at < text.length ? [...nodes, node.cut(at)] : nodes;
}
