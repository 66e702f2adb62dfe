import type { FigureWidth } from "@stet/markdown";
import type { Mark, Node } from "@tiptap/pm/model";
import { escapeLineStart, escapeText } from "./escape-text.ts";
import type { Escaping } from "./escape-text.ts";
import { loneImage } from "./lone-image.ts";
import { canLink } from "./tidy.ts";

/** One way to write a text. If it does not read back as it should, the next more careful one is tried. */
export interface MarkdownStyle {
  readonly escaping: Escaping;
  readonly emphasis: "*" | "_";
  /** How an address that is its own text is written: `https://…`, `<https://…>` or `[https://…](https://…)`. */
  readonly address: "plain" | "angle" | "link";
  /** Writes the characters next to emphasis as `&#…;`, where it could not begin or end otherwise. */
  readonly encodeEdges: boolean;
}

/** What holds the text: a line cannot break in a table cell, nor in a heading unless it is underlined. */
export type TextContainer = "block" | "line" | "cell";

const RANK: Readonly<Record<string, number>> = { link: 0, italic: 1, bold: 2, strike: 3 };
type Piece = { readonly kind: "open" | "close" | "text"; text: string };

export function writeInline(parent: Node, style: MarkdownStyle, container: TextContainer): string {
  const leaves = parent.content.content;
  const marksOf = leaves.map((leaf) => leaf.marks.filter(({ type }) => type.name in RANK));
  const pieces: Piece[] = [];
  let open: Mark[] = [];
  const close = (): void => void pieces.push({ kind: "close", text: delimiter(open.pop()!, style, false) });

  leaves.forEach((leaf, i) => {
    const wanted = marksOf[i]!;
    const run = (mark: Mark): number => {
      let end = i;
      while (end < leaves.length && mark.isInSet(marksOf[end]!)) end++;
      return end;
    };
    const isBareLink = wanted.some((mark) => isBare(mark, leaf, i, marksOf) && style.address !== "link");
    const keep = open.findIndex((mark) => !mark.isInSet(wanted));
    while (keep !== -1 && open.length > keep) close();
    const link = wanted.find(({ type }) => type.name === "link");
    // A link stays whole: emphasis that ends within it is closed before it and opened again inside.
    if (link !== undefined && !isBareLink && !link.isInSet(open)) {
      const shorter = open.findIndex((mark) => run(mark) < run(link));
      while (shorter !== -1 && open.length > shorter) close();
    }
    const opening = wanted
      .filter((mark) => !mark.isInSet(open) && !(isBareLink && mark === link))
      .sort((a, b) => run(b) - run(a) || RANK[a.type.name]! - RANK[b.type.name]!);
    for (const mark of opening) pieces.push({ kind: "open", text: delimiter(mark, style, true) });
    open = [...open, ...opening];
    const before = lastCharacter(pieces);
    const after = firstCharacter(leaves[i + 1]);
    const text = isBareLink ? bareAddress(leaf.text ?? "", style) : writeLeaf(leaf, style, container, before, after);
    const linkFollows = leaves[i + 1]?.marks.some(({ type }) => type.name === "link") === true;
    pieces.push({ kind: "text", text: linkFollows && text.endsWith("!") && !text.endsWith("\\!") ? `${text.slice(0, -1)}\\!` : text });
  });
  while (open.length > 0) close();
  if (style.encodeEdges) encodeEdges(pieces);
  const text = pieces.map((piece) => piece.text).join("");
  const width = (container === "block" ? loneImage(parent)?.attrs["width"] : null) as FigureWidth | undefined;
  if (width) return `${text}{.${width}}`;
  return container === "cell" ? text.replaceAll("|", "\\|").replaceAll("\n", " ") : text.split("\n").map(escapeStart).join("\n");
}

/** Lines that begin with our own delimiters begin no block; what is escaped already stays so. */
const escapeStart = (line: string): string =>
  /^(?:\*\*?\S|__?\S|~~\S|`)/.test(line) && !line.startsWith("~~~") ? line : escapeLineStart(line);

function delimiter(mark: Mark, style: MarkdownStyle, opens: boolean): string {
  switch (mark.type.name) {
    case "bold":
      return style.emphasis === "_" && style.encodeEdges ? "__" : "**";
    case "italic":
      return style.emphasis;
    case "strike":
      return "~~";
    default: {
      const { href, title } = mark.attrs as { href: string; title: string | null };
      return opens ? "[" : `](${destination(href, title)})`;
    }
  }
}

/** `address "title"`, as it stands between the parentheses of a link or an image. */
function destination(href: string, title: string | null): string {
  const address = href.replace(/&(?=#|\w+;)/g, "&amp;");
  const needsAngles = /[\s()<>\\]/.test(address) || (address === "" && title !== null);
  const written = needsAngles ? `<${address.replace(/[<>\\]/g, "\\$&").replaceAll("\n", "%0A")}>` : address;
  return title === null ? written : `${written} "${title.replace(/["\\]/g, "\\$&").replace(/&(?=#|\w+;)/g, "&amp;")}"`;
}

function isBare(mark: Mark, leaf: Node, i: number, marksOf: readonly (readonly Mark[])[]): boolean {
  if (mark.type.name !== "link" || mark.attrs["bare"] !== true || !leaf.isText || leaf.marks.some(({ type }) => type.name === "code"))
    return false;
  return !mark.isInSet(marksOf[i - 1] ?? []) && !mark.isInSet(marksOf[i + 1] ?? []);
}

const bareAddress = (text: string, style: MarkdownStyle): string => (style.address === "angle" ? `<${text}>` : text);

function writeLeaf(leaf: Node, style: MarkdownStyle, container: TextContainer, before: string, after: string): string {
  switch (leaf.type.name) {
    case "text":
      return leaf.marks.some(({ type }) => type.name === "code")
        ? codeSpan(leaf.text ?? "")
        : escapeText(leaf.text ?? "", style.escaping, before, after, !canLink(leaf));
    case "hardBreak":
      return container === "block" ? "\\\n" : container === "cell" ? "<br>" : " ";
    case "softBreak":
      return container === "block" ? "\n" : " ";
    case "htmlInline":
      return String(leaf.attrs["html"]);
    case "footnoteReference":
      return `[^${String(leaf.attrs["label"])}]`;
    default: {
      const { src, alt, title } = leaf.attrs as { src: string; alt: string; title: string | null };
      const words = escapeText(alt, style.escaping, " ", " ", true);
      return `![${style.escaping === "light" ? words.replace(/\\?([[\]])/g, "\\$1") : words}](${destination(src, title)})`;
    }
  }
}

function codeSpan(text: string): string {
  let ticks = "`";
  while (new RegExp(`(?<!\`)${ticks}(?!\`)`).test(text)) ticks += "`";
  const pads = /^`|`$/.test(text) || (/^ .* $/s.test(text) && text.trim() !== "");
  return pads ? `${ticks} ${text} ${ticks}` : ticks + text + ticks;
}

const lastCharacter = (pieces: readonly Piece[]): string =>
  pieces
    .findLast(({ text }) => text !== "")
    ?.text.at(-1)
    ?.replace("\n", "") ?? "";

function firstCharacter(leaf: Node | undefined): string {
  if (leaf === undefined) return "";
  if (leaf.isText) return leaf.marks.length > 0 ? "*" : (leaf.text ?? "").charAt(0);
  return leaf.type.name === "hardBreak" || leaf.type.name === "softBreak" ? "" : "[";
}

/** Emphasis opens only before a word and closes only after one; a character written as `&#…;` is neither word nor space. */
function encodeEdges(pieces: readonly Piece[]): void {
  const code = (char: string): string => `&#${char.codePointAt(0)!};`;
  pieces.forEach((piece, i) => {
    if (piece.kind === "text") return;
    const before = pieces.slice(0, i).findLast(({ kind }) => kind === "text");
    const after = pieces.slice(i + 1).find(({ kind }) => kind === "text");
    const [inner, outer] = [/[ \t]/, /[\p{L}\p{N}]/u];
    const last = before === undefined ? "" : ([...before.text].at(-1) ?? "");
    if (before !== undefined && (piece.kind === "open" ? outer : inner).test(last)) {
      before.text = before.text.slice(0, -last.length) + code(last);
    }
    const first = after === undefined ? "" : ([...after.text][0] ?? "");
    if (after !== undefined && (piece.kind === "open" ? inner : outer).test(first))
      after.text = code(first) + after.text.slice(first.length);
  });
}
