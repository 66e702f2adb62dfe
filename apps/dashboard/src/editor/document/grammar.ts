import { type FootnoteEnv, markdownParser } from "@stet/markdown";
import type { Env, Token } from "markdown-it";

const parser = markdownParser();
// Link definitions make no HTML, but they have a place in the source.
parser.core.ruler.disable("strip_references");

/** What a block may refer to beyond itself: link definitions and the labels of footnotes. */
export type Context = FootnoteEnv;

/** The tokens of a text. The context is read, and completed by what the text defines. */
export const parse = (text: string, context: Context): Token[] => parser.parse(text, context);

/** For reading one block alone: it sees what the others define, and adds nothing to it. */
export const copyOf = (context: Context): Context => ({
  references: Object.create(context.references ?? null) as NonNullable<Env["references"]>,
  footnotes: new Set(context.footnotes),
});

/** The addresses that become links by standing in a text. */
export function addressesIn(text: string): { readonly start: number; readonly end: number; readonly href: string }[] {
  if (!parser.linkify.test(text)) return [];
  return (parser.linkify.match(text) ?? [])
    .map(({ index, lastIndex, url }) => ({ start: index, end: lastIndex, href: parser.normalizeLink(url) }))
    .filter(({ href }) => parser.validateLink(href));
}
