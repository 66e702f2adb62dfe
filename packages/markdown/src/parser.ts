import MarkdownIt from "markdown-it";
import type { MarkdownIt as Parser } from "markdown-it";
import { callouts } from "./callouts.ts";
import { embedDirectives } from "./embed-directives.ts";
import { figures } from "./figures.ts";
import { footnotes } from "./footnotes.ts";
import { guard } from "./guard.ts";
import { GRAMMAR_LIMITS } from "./limits.ts";
import { isLinkable } from "./urls.ts";

/**
 * A parser of posts: CommonMark and GFM, footnotes, callouts, embeds and figures. The service renders what it reads and the editor
 * shows it as blocks; each adds to its own what only it needs. Holds no state between texts.
 */
export function markdownParser(): Parser {
  const parser = new MarkdownIt({ html: true, linkify: true, maxNesting: GRAMMAR_LIMITS.inlineDepth });
  parser.validateLink = isLinkable;
  return parser.use(bareAddresses).use(guard).use(footnotes).use(callouts).use(embedDirectives).use(figures);
}

/** What GFM links without being asked: http://, https://, www. and e-mail addresses. Not `readme.md`, which is also a domain name. */
function bareAddresses({ linkify }: Parser): void {
  linkify
    .set({ fuzzyLink: false, fuzzyEmail: true })
    .add("ftp:", null)
    .add("//", null)
    .add("www.", {
      validate: (text, pos, self) => {
        // A host must follow, and one more dot, as in `www.example.com`.
        const length = self.testSchemaAt(`http://www.${text.slice(pos, pos + 2_000)}`, "http:", 5);
        const matched = length === 0 ? "" : text.slice(pos, pos + length - "//www.".length);
        return /^[^/?#]*[^./?#]\.[^./?#]/.test(matched) ? matched.length : 0;
      },
      normalize: (match) => {
        match.url = `http://${match.url}`;
      },
    });
}
