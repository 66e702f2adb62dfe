import MarkdownIt from "markdown-it";
import { callouts } from "./callouts.ts";
import { embedDirectives } from "./embed-directives.ts";
import { footnotes } from "./footnotes.ts";
import { guard } from "./guard.ts";
import { LIMITS } from "./limits.ts";
import { taskLists } from "./task-lists.ts";
import { safeLinkUrl } from "./urls.ts";

/** CommonMark and GFM, footnotes, callouts and embeds. Holds no state between documents. */
export const parser = new MarkdownIt({ html: true, linkify: true, maxNesting: LIMITS.inlineDepth });

// What GFM links without being asked: http://, https://, www. and e-mail addresses. Not `readme.md`, which is also a domain name.
parser.linkify
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

// A link with another scheme stays the text it was typed as.
parser.validateLink = (url) => safeLinkUrl(url) !== null;

parser.use(guard).use(footnotes).use(callouts).use(embedDirectives).use(taskLists);
