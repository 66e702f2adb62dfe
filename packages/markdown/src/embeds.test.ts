import { expect, test } from "vitest";
import { embedAt } from "./embeds.ts";
import { markdownParser } from "./parser.ts";

const parser = markdownParser();
const embeds = (markdown: string): unknown[] =>
  parser
    .parse(markdown, {})
    .filter(({ type }) => type === "embed")
    .map(({ meta }) => meta!["embed"]);

test.each([
  ["::youtube{id=dQw4w9WgXcQ}", { kind: "youtube", id: "dQw4w9WgXcQ" }],
  ["::youtube[T]{id='dQw4w9WgXcQ' start=10}", { kind: "youtube", id: "dQw4w9WgXcQ", start: "10" }],
  ["::youtube{id=dQw4w9WgXcQ start=soon}", { kind: "youtube", id: "dQw4w9WgXcQ" }],
  ['::youtube{url="https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=3s"}', { kind: "youtube", id: "dQw4w9WgXcQ", start: "3" }],
  ["::vimeo{id=12345}", { kind: "vimeo", id: "12345" }],
  ["::vimeo{url=https://player.vimeo.com/video/123456?h=abcdef1}", { kind: "vimeo", id: "123456", hash: "abcdef1" }],
  ["::codepen{user=a id=abcde}", { kind: "codepen", user: "a", id: "abcde" }],
  ["::x{url=https://twitter.com/a/status/1}", { kind: "x", user: "a", id: "1" }],
  ["::gist{url=https://gist.github.com/a/0123456789abcdef}", { kind: "gist", user: "a", id: "0123456789abcdef" }],
  ["words\n::vimeo{id=12345}\nwords", { kind: "vimeo", id: "12345" }],
  ["- ::vimeo{id=12345}", { kind: "vimeo", id: "12345" }],
])("%s", (markdown, embed) => {
  expect(embeds(markdown)).toEqual([embed]);
});

test.each([
  "::youtube",
  "::youtube{id=dQw4w9WgXc}",
  "::youtube{url=https://evil.example/watch?v=dQw4w9WgXcQ}",
  "::vimeo{id=1234}",
  "::vimeo{id=12345} words",
  ":::vimeo{id=12345}",
  "    ::vimeo{id=12345}",
  "::codepen{url=https://codepen.io/team/other/abcde}",
  "::x{user=too_long_a_name_here id=1}",
  "::gist{url=javascript:alert(1)}",
  "::unknown{id=1}",
  "::constructor{id=1}",
  `::vimeo{id=12345 ${"a=b ".repeat(400)}}`,
])("is no embed: %.60s", (markdown) => {
  expect(embeds(markdown)).toEqual([]);
});

test("label and attributes are kept as they were typed", () => {
  const [token] = parser.parse("a\n\n::vimeo[ A  title ]{ id = 12345  other='x' }", {}).slice(-1);
  expect(token).toMatchObject({ map: [2, 3], meta: { name: "vimeo", label: "A  title", attributes: " id = 12345  other='x' " } });
});

test.each([
  ["https://youtu.be/dQw4w9WgXcQ", "youtube"],
  ["https://www.youtube.com/shorts/dQw4w9WgXcQ", "youtube"],
  ["https://www.youtube.com/shorts/short", undefined],
  ["https://vimeo.com/123456/abcdef1", "vimeo"],
  ["https://codepen.io/team/pen/abcde", "codepen"],
  ["https://x.com/a/status/1", "x"],
  ["https://gist.github.com/a/0123456789abcdef", "gist"],
  ["https://x.com.evil.example/a/status/1", undefined],
  ["javascript:alert(1)", undefined],
  ["x.com/a/status/1", undefined],
])("the address %s leads to %s", (address, kind) => {
  expect(embedAt(address)?.kind).toBe(kind);
});
