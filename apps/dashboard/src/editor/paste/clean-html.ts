import { captionsFromFigures } from "./figures.ts";
import { notesFromWord, listsFromWord } from "./from-word.ts";
import { BLOCKS, isBlank, styleOf, unwrap } from "./pasted-elements.ts";
import { withoutStyles } from "./without-styles.ts";

/**
 * HTML from elsewhere, as the schema can read it. The page's policy allows no inline styles, so a browser does not see them either:
 * bold and italic that Google Docs writes as styles are read from the attribute's text and become tags.
 */
export function cleanHtml(html: string, isTakenLabel: (label: string) => boolean): { html: string; lostImages: number } {
  // Copied from this editor, or from one of its kind.
  if (html.includes("data-pm-slice")) return { html, lostImages: 0 };
  const { body } = new DOMParser().parseFromString(withoutStyles(html).replace(STYLE_ATTRIBUTES, "$1data-style"), "text/html");
  for (const noise of body.querySelectorAll("script, title, meta, link, colgroup")) noise.remove();
  for (const office of body.getElementsByTagName("o:p")) if (isBlank(office)) office.textContent = "";
  notesFromWord(body, isTakenLabel);
  listsFromWord(body);
  for (const styled of body.querySelectorAll<HTMLElement>("[data-style]")) tagsFromStyle(styled);
  for (const cell of body.querySelectorAll<HTMLElement>("td, th")) onOneLine(cell);
  captionsFromFigures(body);
  dropEmptyLines(body);
  const lostImages = dropLostImages(body);
  return { html: body.innerHTML, lostImages };
}

/** Up to the next tag: a text full of half tags would take the browser for minutes otherwise. */
const STYLE_ATTRIBUTES = /(<[a-z][^<>]*?\s)style(?=\s*=)/gi;
const INLINE = new Set(["SPAN", "A", "FONT"]);
const isBold = (weight: string | undefined): boolean => /^(?:bold(?:er)?|[6-9]\d\d)$/.test(weight ?? "");

function tagsFromStyle(element: HTMLElement): void {
  const style = styleOf(element);
  const weight = style("font-weight");
  const align = style("text-align");
  if (align !== undefined) element.closest("td, th")?.setAttribute("align", align);
  // Google Docs wraps everything it copies in a <b> that is not bold.
  const isUndone =
    (element.matches("b, strong") && weight !== undefined && !isBold(weight)) ||
    (element.matches("i, em") && style("font-style") === "normal");
  if (isUndone) return unwrap(element);
  if (!INLINE.has(element.tagName)) return;
  // A heading is bold as it is.
  if (isBold(weight) && element.closest("h1, h2, h3, h4, h5, h6") === null) wrapContent(element, "strong");
  if (style("font-style") === "italic") wrapContent(element, "em");
  if (style("text-decoration")?.includes("line-through") ?? style("text-decoration-line")?.includes("line-through"))
    wrapContent(element, "s");
}

function wrapContent(element: HTMLElement, tag: string): void {
  const wrapper = element.ownerDocument.createElement(tag);
  wrapper.append(...element.childNodes);
  element.append(wrapper);
}

/** A cell of Markdown is one line: its paragraphs and items are parted by breaks. */
function onOneLine(cell: HTMLElement): void {
  if (cell.querySelector("table") !== null) return;
  const blocks = [...cell.querySelectorAll<HTMLElement>(BLOCKS)];
  const lines = blocks.filter((block) => block.querySelector(BLOCKS) === null && !isBlank(block));
  for (const line of lines.slice(1)) line.before(cell.ownerDocument.createElement("br"));
  for (const block of blocks) unwrap(block);
  if (isBlank(cell)) cell.textContent = "";
}

/** What only makes room between paragraphs; here they keep their distance by themselves. */
function dropEmptyLines(body: HTMLElement): void {
  for (const paragraph of body.querySelectorAll("p, h1, h2, h3, h4, h5, h6")) if (isBlank(paragraph)) paragraph.remove();
  for (const br of body.querySelectorAll("br")) {
    const besides = [neighbour(br, "previousSibling"), neighbour(br, "nextSibling")];
    const isBetween = besides.every((node) => node === null || (node instanceof Element && node.matches(`${BLOCKS}, ul, ol, table`)));
    if (isBetween && (br.parentElement === body || br.parentElement?.tagName === "DIV")) br.remove();
  }
}

function neighbour(node: Node, side: "previousSibling" | "nextSibling"): Node | null {
  let other = node[side];
  while (other !== null && (other.nodeType === Node.COMMENT_NODE || (other.nodeType === Node.TEXT_NODE && other.nodeValue?.trim() === "")))
    other = other[side];
  return other;
}

/** Word names files of the computer that it runs on; no reader could load them. */
function dropLostImages(body: HTMLElement): number {
  const lost = [...body.querySelectorAll("img")].filter((image) => !/^(?:https?:|data:image\/|\/)/i.test(image.getAttribute("src") ?? ""));
  for (const image of lost) image.remove();
  return lost.length;
}
