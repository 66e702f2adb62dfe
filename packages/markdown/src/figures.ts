import type { MarkdownIt, StateCore, Token } from "markdown-it";

export const FIGURE_WIDTHS = ["wide", "full"] as const;
/** How much of the page an image takes; null for the width of the text. */
export type FigureWidth = (typeof FIGURE_WIDTHS)[number] | null;

/** What `figure_open`, `figure_close` and the image between them say of themselves. */
export interface Figure {
  readonly width: FigureWidth;
  /** On one line; empty without a caption. */
  readonly caption: string;
}

/**
 * `![alt](address "Caption"){.wide}`, alone in its paragraph: the title is the caption, and a class right after the image is its width. The
 * image may be a link. With neither it stays a paragraph, and so does an image beside anything else.
 */
export function figures(md: MarkdownIt): void {
  // Before texts are joined: a brace that was escaped is a token of its own until then.
  md.core.ruler.before("text_join", "figures", markFigures);
}

function markFigures({ tokens }: StateCore): void {
  tokens.forEach((token, i) => {
    const [open, close] = [tokens[i - 1], tokens[i + 1]];
    if (token.type !== "inline" || open?.type !== "paragraph_open" || close?.type !== "paragraph_close") return;
    const parts = token.children ?? [];
    const width = widthOf(parts.at(-1));
    const shown = width === null ? parts : parts.slice(0, -1);
    const image = loneImage(shown);
    if (image === null) return;
    const caption = captionOf(String(image.attrGet("title") ?? ""));
    if (width === null && caption === "") return;
    token.children = shown;
    const figure: Figure = { width, caption };
    for (const part of [open, image, close]) part.meta = { ...part.meta, ...figure };
    open.type = "figure_open";
    close.type = "figure_close";
    for (const part of [open, close]) part.tag = "figure";
  });
}

/** A caption as readers see it: the line breaks and runs of spaces in a title are its writer's. */
export const captionOf = (title: string): string => title.replace(/\s+/g, " ").trim();

function loneImage(parts: readonly Token[]): Token | null {
  const isLinked = parts.length === 3 && parts[0]!.type === "link_open" && parts[2]!.type === "link_close";
  const only = isLinked ? parts[1] : parts.length === 1 ? parts[0] : undefined;
  return only?.type === "image" ? only : null;
}

const widthOf = (last: Token | undefined): FigureWidth =>
  last?.type === "text" ? (FIGURE_WIDTHS.find((width) => last.content === `{.${width}}`) ?? null) : null;
