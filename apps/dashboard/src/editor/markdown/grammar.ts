import MarkdownIt from "markdown-it";
import type { Env, StateBlock, Token } from "markdown-it";
import { directives } from "./directives.ts";
import { footnotes } from "./footnotes.ts";
import { isLinkable } from "./urls.ts";

/** As deep as the service reads nested blocks and nested brackets. What is deeper is text there, and source here. */
const BLOCK_DEPTH = 16;
const INLINE_DEPTH = 30;

/** The same grammar as the service's renderer: CommonMark, GFM, footnotes, callouts and embeds. A test holds the two together. */
const parser = new MarkdownIt({ html: true, linkify: true, maxNesting: INLINE_DEPTH });

parser.linkify
  .set({ fuzzyLink: false, fuzzyEmail: true })
  .add("ftp:", null)
  .add("//", null)
  .add("www.", {
    validate: (text, pos, self) => {
      const length = self.testSchemaAt(`http://www.${text.slice(pos, pos + 2_000)}`, "http:", 5);
      const matched = length === 0 ? "" : text.slice(pos, pos + length - "//www.".length);
      return /^[^/?#]*[^./?#]\.[^./?#]/.test(matched) ? matched.length : 0;
    },
    normalize: (match) => {
      match.url = `http://${match.url}`;
    },
  });
parser.validateLink = isLinkable;
parser.use(footnotes).use(directives);
// Link definitions make no HTML, but they have a place in the source.
parser.core.ruler.disable("strip_references");
parser.block.ruler.before("table", "too_deep", tooDeep);

function tooDeep(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (state.level < BLOCK_DEPTH) return false;
  if (silent) return true;
  let line = startLine + 1;
  while (line < endLine && !state.isEmpty(line) && state.sCount[line]! >= state.blkIndent) line++;
  const token = state.push("plain_paragraph", "p", 0);
  token.content = state.getLines(startLine, line, state.blkIndent, false);
  token.map = [startLine, line];
  state.line = line;
  return true;
}

/** What a block may refer to beyond itself: link definitions and the labels of footnotes. */
export interface Context extends Env {
  footnotes?: Set<string>;
}

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
