import { HeadingIds, measure } from "@stet/markdown";
import type { OutlineHeading } from "../body-editor-props.ts";
import { parse } from "./grammar.ts";

/** Words and headings of a text that is being written as Markdown. */
export function measureSource(markdown: string): {
  readonly words: number;
  readonly headings: readonly (OutlineHeading & { readonly line: number })[];
} {
  const ids = new HeadingIds();
  const tokens = parse(markdown, {});
  let words = 0;
  const headings: (OutlineHeading & { line: number })[] = [];
  tokens.forEach((token, i) => {
    if (token.type === "fence" || token.type === "code_block") words += measure(token.content).wordCount;
    if (token.type === "figure_open") words += measure(String(token.meta!["caption"])).wordCount;
    if (token.type !== "inline") return;
    const text = (token.children ?? [])
      .map(({ type, content }) => (type === "text" || type === "code_inline" ? content : type.endsWith("break") ? " " : ""))
      .join("");
    words += measure(text).wordCount;
    const heading = tokens[i - 1];
    if (heading?.type !== "heading_open") return;
    headings.push({ id: ids.next(text.trim()), depth: Number(heading.tag.slice(1)), text: text.trim(), line: heading.map![0] });
  });
  return { words, headings };
}

/** On which lines the blocks of a source begin, from 0. */
export const blockLines = (markdown: string): readonly number[] =>
  parse(markdown, {}).flatMap(({ level, nesting, map }) => (level === 0 && nesting !== -1 && map !== null ? [map[0]] : []));
