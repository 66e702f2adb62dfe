import { Fragment } from "@tiptap/pm/model";
import type { Node } from "@tiptap/pm/model";
import { addressesIn } from "./grammar.ts";
import { loneImage } from "./lone-image.ts";

/**
 * The nearest block that Markdown can say: no empty paragraphs beside others, no spaces at the edges of a line or of
 * emphasis, a table whose first row is its head, no wide image beside words, and addresses that stand in the text as the links they will become,
 * but for those that the writer left `plain`.
 */
export function tidy(node: Node, original: Node | null, plain: ReadonlySet<string>): Node {
  return tidied(node, original === null ? plain : new Set([...plain, ...plainAddresses(original)]));
}

function tidied(node: Node, plain: ReadonlySet<string>, inCell = false): Node {
  if (node.type.spec.code === true || node.isLeaf) return node;
  if (node.isTextblock) {
    const text = node.copy(Fragment.fromArray(tidyInline(node, plain, inCell)));
    return inCell || loneImage(text) === null ? withoutWidths(text) : text;
  }
  const children = node.content.content
    .filter((child, _i, all) => all.length === 1 || !isEmptyParagraph(child))
    .map((child) => tidied(child, plain, node.type.spec["tableRole"] !== undefined));
  if (children.length === 0) children.push(node.firstChild!);
  if (node.type.name === "table") return node.copy(Fragment.fromArray(children.map((row, i) => tidyRow(row, i === 0))));
  return node.copy(Fragment.fromArray(children));
}

/** Beside words an image has no width of its own. */
function withoutWidths(block: Node): Node {
  const isWide = (node: Node): boolean => node.type.name === "image" && node.attrs["width"] !== null;
  if (!block.content.content.some(isWide)) return block;
  const nodes = block.content.content.map((node) =>
    isWide(node) ? node.type.create({ ...node.attrs, width: null }, null, node.marks) : node,
  );
  return block.copy(Fragment.fromArray(nodes));
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

function tidyInline(block: Node, plain: ReadonlySet<string>, inCell: boolean): Node[] {
  let nodes = splitAtSpaces(block.content.content.flatMap((node) => linked(node, plain)));
  // Emphasis neither begins nor ends with a space.
  nodes = nodes.map((node, i) => {
    if (!node.isText || (node.text ?? "").trim() !== "" || node.marks.some(({ type }) => type.name === "code")) return node;
    const before = nodes[i - 1]?.marks ?? [];
    const after = nodes[i + 1]?.marks ?? [];
    return node.mark(node.marks.filter((mark) => !EDGES.has(mark.type.name) || (mark.isInSet(before) && mark.isInSet(after))));
  });
  // Lines neither begin nor end with spaces, and the text does not end with a break. In a cell a break is a tag.
  const isEdge = (node: Node): boolean => isBlank(node) || (!inCell && isBreak(node));
  while (nodes.length > 0 && isEdge(nodes[0]!) && nodes[0]!.type.name !== "hardBreak") nodes.shift();
  while (nodes.length > 0 && isEdge(nodes.at(-1)!)) nodes.pop();
  return inCell ? nodes : nodes.filter((node, i) => !isBlank(node) || !(isBreak(nodes[i - 1]) || isBreak(nodes[i + 1])));
}

const isBlank = (node: Node): boolean =>
  node.isText && /^[ \t]+$/.test(node.text ?? "") && !node.marks.some(({ type }) => type.name === "code");

/** Spaces at the edges of a text become texts of their own, so that they can be judged alone. */
function splitAtSpaces(nodes: readonly Node[]): Node[] {
  return nodes.flatMap((node) => {
    if (!node.isText || node.marks.some(({ type }) => type.name === "code")) return [node];
    const [, before, middle, after] = /^([ \t]*)(.*?)([ \t]*)$/s.exec(node.text ?? "")!;
    return [before!, middle!, after!].filter((text) => text !== "").map((text) => node.type.schema.text(text, node.marks));
  });
}

/** Text that could hold a link and holds none. */
export const canLink = (node: Node): boolean => node.isText && !node.marks.some(({ type }) => type.name === "link" || type.name === "code");

/** Addresses that the writer took care not to link (`https\\://…`). */
function plainAddresses(original: Node): ReadonlySet<string> {
  const plain = new Set<string>();
  original.descendants((node) => {
    if (canLink(node)) for (const { start, end } of addressesIn(node.text ?? "")) plain.add(node.text!.slice(start, end));
  });
  return plain;
}

function linked(node: Node, plain: ReadonlySet<string>): Node[] {
  if (!canLink(node)) return [node];
  const text = node.text ?? "";
  const nodes: Node[] = [];
  let at = 0;
  for (const { start, end, href } of addressesIn(text)) {
    if (plain.has(text.slice(start, end))) continue;
    if (start > at) nodes.push(node.cut(at, start));
    const link = node.type.schema.mark("link", { href, bare: true });
    nodes.push(node.cut(start, end).mark(link.addToSet(node.marks)));
    at = end;
  }
  return at === 0 ? [node] : at < text.length ? [...nodes, node.cut(at)] : nodes;
}
