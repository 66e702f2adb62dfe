import type { Node } from "@tiptap/pm/model";
import { EditorState } from "@tiptap/pm/state";
import { expect, test } from "vitest";
import { BodySession } from "../document/body-session.ts";
import { restoreLineEnds, withPlainLineEnds } from "../document/line-ends.ts";
import { measureBody } from "../document/measure-body.ts";
import { measureSource } from "../document/measure-source.ts";
import { openMarkdown } from "../document/open-markdown.ts";
import { saveMarkdown } from "../document/save-markdown.ts";
import { schema } from "./edits.ts";

/** What is saved after the blocks of a body were put together anew. */
const saved = (markdown: string, change: (blocks: readonly Node[]) => readonly Node[]): string => {
  const opened = openMarkdown(markdown, schema);
  return saveMarkdown(opened, schema.topNodeType.create(null, [...change(opened.doc.content.content)]));
};
const paragraph = (text: string): Node => schema.nodes["paragraph"]!.create(null, text === "" ? null : schema.text(text));
const blocksOf = (markdown: string): string[] => openMarkdown(markdown, schema).doc.content.content.map(({ type }) => type.name);

test("two lists that become neighbours stay two lists", () => {
  const result = saved("- a\n- b\n\nbetween\n\n- c\n", ([first, , last]) => [first!, last!]);
  expect(result).toContain("- a\n- b\n");
  expect(blocksOf(result).filter((name) => name === "bulletList")).toHaveLength(2);
});

test("indented code does not become part of the list before it", () => {
  const result = saved("- a\n\nbetween\n\n    code\n", ([first, , last]) => [first!, last!]);
  expect(blocksOf(result)).toEqual(["bulletList", "sourceBlock", "codeBlock"]);
});

test("a paragraph put after a heading without a blank line is a paragraph", () => {
  expect(saved("# H\ntext", ([heading, text]) => [heading!, paragraph("new"), text!])).toBe("# H\n\nnew\n\ntext");
});

test("a block put at the end of a text without a last line break begins on its own line", () => {
  expect(saved("text", ([text]) => [text!, paragraph("more")])).toBe("text\n\nmore");
});

test("code full of backticks, which an app may write, is opened and saved", () => {
  const code = `\`\`\`\`\n${"` ".repeat(200_000)}\n\`\`\`\``;
  expect(saved(code, ([block]) => [block!, paragraph("more")]) === `${code}\n\nmore`).toBe(true);
});

test("blocks that were moved keep their bytes", () => {
  expect(saved("__a__\n\n* b\n\nc  \n", ([a, b, c]) => [c!, a!, b!])).toBe("c\n\n__a__\n\n* b  \n");
});

test("a new footnote stands below the text that refers to it, with nothing between", () => {
  const { footnote, footnoteReference } = schema.nodes;
  const note = footnote!.create({ label: "1" }, paragraph("note"));
  const text = schema.nodes["paragraph"]!.create(null, [schema.text("word"), footnoteReference!.create({ label: "1" })]);
  expect(saved("word\n", () => [text, note])).toBe("word[^1]\n\n[^1]: note\n");
});

test("empty paragraphs are not written", () => {
  expect(saved("a\n\nb\n", ([a, b]) => [a!, paragraph(""), paragraph(""), b!])).toBe("a\n\nb\n");
  expect(saved("a\n", () => [paragraph("")])).toBe("");
});

test("typed text that looks like Markdown stays text", () => {
  for (const text of [
    "# no",
    "- no",
    "1. no",
    "> no",
    "***",
    "---",
    "a *b* _c_ `d`",
    "[a](b)",
    "<b>",
    "&amp;",
    ":::note",
    "| a |",
    "    x",
    "~~a~~",
    "\\",
  ]) {
    const result = saved("", () => [paragraph(text)]);
    const { doc } = openMarkdown(result, schema);
    expect([doc.childCount, doc.firstChild!.type.name, doc.textContent]).toEqual([1, "paragraph", text.trim()]);
  }
});

test("an address that is typed becomes a link, written as it was typed", () => {
  const result = saved("", () => [paragraph("See https://example.com/a_b_c.")]);
  expect(result).toBe("See https://example.com/a_b_c.\n");
});

test("undoing a change brings the bytes back", () => {
  const source = "__one__ two\n\n* three\r\n";
  const opened = openMarkdown(source, schema);
  const state = EditorState.create({ doc: opened.doc });
  const changed = state.apply(state.tr.insertText("X", 1));
  expect(saveMarkdown(opened, changed.doc)).not.toBe(source);
  const back = changed.apply(changed.tr.delete(1, 2));
  expect(saveMarkdown(opened, back.doc)).toBe(source);
});

test("a text that is opened again keeps the blocks that are the same, and every byte", () => {
  const session = new BodySession(schema);
  const { doc } = session.open("a\n\n__b__\n\nc\n");
  const next = "a\n\n__b__  \n\n\nchanged\n\nc";
  const { from, to, blocks } = session.reopen(next, doc);
  const state = EditorState.create({ doc });
  const reopened = state.apply(state.tr.replaceWith(from, to, [...blocks])).doc;
  expect(reopened.child(1)).toBe(doc.child(1));
  expect(session.save(reopened)).toBe(next);
  expect(session.save(doc)).toBe("a\n\n__b__\n\nc\n");
});

test("a textarea gives lines their ends back", () => {
  const mixed = "one\r\ntwo\nthree\r\nfour\r";
  expect(restoreLineEnds(mixed, withPlainLineEnds(mixed))).toBe(mixed);
  expect(restoreLineEnds(mixed, "one\ntwo\nX\nthree\nfour\n")).toBe("one\r\ntwo\nX\r\nthree\r\nfour\r");
  expect(restoreLineEnds("a\nb", "a\nc\n")).toBe("a\nc\n");
});

test("headings are listed with the ids they will have, and words are counted", () => {
  const { doc } = openMarkdown("# One *two*\n\nthree `four`\nfive\n\n> ## One two\n\n## One two\n", schema);
  const { words, headings } = measureBody(doc);
  expect(headings.map(({ id, depth }) => [id, depth])).toEqual([
    ["h-one-two", 1],
    ["h-one-two-1", 2],
    ["h-one-two-2", 2],
  ]);
  expect(words).toBe(9);
});

test("the title of a callout counts, as blocks and as source", () => {
  const markdown = ":::note[One *two*]\nthree\n\n:::tip[Four]\n:::\n:::\n";
  expect(measureBody(openMarkdown(markdown, schema).doc).words).toBe(4);
  expect(measureSource(markdown).words).toBe(4);
});

test("caption and width are written behind the image, and go where no caption can be", () => {
  const image = (attrs: object) => schema.nodes["image"]!.create({ src: "/i.png", alt: "i", ...attrs });
  const block = (...content: Node[]) => schema.nodes["paragraph"]!.create(null, content);
  const cases: [Node, string][] = [
    [block(image({ title: 'A "cap" \\ {.full}', width: "wide" })), '![i](/i.png "A \\"cap\\" \\\\ {.full}"){.wide}'],
    [block(image({ title: "<b>&amp;</b> `c` *d*", width: null })), '![i](/i.png "<b>&amp;amp;</b> `c` *d*")'],
    [block(image({ width: "full" }).mark([schema.mark("link", { href: "/l" })])), "[![i](/i.png)](/l){.full}"],
    [block(image({ width: "full", title: "T" }), schema.text(" words")), '![i](/i.png "T") words'],
    [block(image({}), schema.text("{.wide}")), "![i](/i.png)\\{\\.wide\\}"],
  ];
  for (const [node, expected] of cases) expect(saved("", () => [node])).toBe(`${expected}\n`);
  const source = "a\n\n![i](</i.png>  'C'){.wide}\n\nb\n";
  expect(saved(source, ([a, figure]) => [a!, figure!])).toBe("a\n\n![i](</i.png>  'C'){.wide}\n");
});

test("a caption counts, as blocks and as source; a title beside words does not", () => {
  const markdown = '![alt](/i.png "One two"){.wide}\n\n- ![alt](/i.png "Three")\n\nfour ![alt](/i.png "five")\n';
  expect(measureBody(openMarkdown(markdown, schema).doc).words).toBe(4);
  expect(measureSource(markdown).words).toBe(4);
});

test("a post that leans on link definitions asks for the source view", () => {
  expect(openMarkdown("[a]\n\n[a]: /b\n", schema).preferSource).toBe(true);
  expect(openMarkdown("# Plain\n\ntext\n", schema).preferSource).toBe(false);
});
