import { expect, test } from "vitest";
import { markdownParser } from "./parser.ts";

const parser = markdownParser();
/** The callouts of a text: what each says of itself, and the lines it takes. */
const callouts = (markdown: string): unknown[] =>
  parser
    .parse(markdown, {})
    .filter(({ type }) => type === "callout_open")
    .map(({ meta, map }) => [meta!["kind"], ...map!]);

test.each([
  [":::note\ntext\n:::\nafter", [["note", 0, 3]]],
  ["before\n:::tip\ntext\n:::", [["tip", 1, 4]]],
  [
    "::::tip\n:::info\n:::\n::::\nafter",
    [
      ["tip", 0, 4],
      ["info", 1, 3],
    ],
  ],
  [
    ":::tip\n:::info\n:::\n:::\nafter",
    [
      ["tip", 0, 4],
      ["info", 1, 3],
    ],
  ],
  [":::note\n```\n:::\n```\n:::\nafter", [["note", 0, 5]]],
  [":::note\nnever closed\n", [["note", 0, 2]]],
  ["- :::note\n  a\n\nb", [["note", 0, 3]]],
  ["> :::note\n> a\nb", [["note", 0, 2]]],
  ["::note\n:::other\n    :::note\n", []],
])("%j", (markdown, found) => {
  expect(callouts(markdown)).toEqual(found);
});

test("the title is read as Markdown, and kept as it was typed with the attributes", () => {
  const [open, titleOpen, title, titleClose, ...rest] = parser.parse(":::note[ *A* title ]{a=b  c}\ntext\n:::", {});
  expect(open!.meta).toEqual({ kind: "note", title: "*A* title", attributes: "a=b  c" });
  expect([titleOpen!.type, titleClose!.type]).toEqual(["callout_title_open", "callout_title_close"]);
  expect(title!.children!.map(({ type }) => type)).toEqual(["em_open", "text", "em_close", "text"]);
  expect(rest.map(({ type }) => type)).toEqual(["paragraph_open", "inline", "paragraph_close", "callout_close"]);
  expect(parser.parse(":::note[ ]\n:::", {}).map(({ type }) => type)).toEqual(["callout_open", "callout_close"]);
});
