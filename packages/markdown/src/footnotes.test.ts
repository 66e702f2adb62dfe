import { expect, test } from "vitest";
import type { FootnoteEnv } from "./footnotes.ts";
import { markdownParser } from "./parser.ts";

function footnotesOf(markdown: string, env: FootnoteEnv = {}): { defined: string[]; references: unknown[] } {
  markdownParser().parse(markdown, env);
  return { defined: [...(env.footnotes ?? [])], references: (env.footnoteReferences ?? []).map(({ meta }) => meta!["label"]) };
}

test("references are known in the order in which they are read, wherever they stand", () => {
  const markdown = "[^b] ![a [^c]](/i) [t [^a]](/u)\n\n:::note[T [^d]]\n[^b]\n:::\n\n[^a]: a [^c]\n[^b]: b\n[^c]: c\n[^d]: d";
  expect(footnotesOf(markdown)).toEqual({ defined: ["a", "b", "c", "d"], references: ["b", "c", "a", "d", "b", "c"] });
});

test("a reference to no note is text, unless the note stands in another block", () => {
  expect(footnotesOf("[^a]")).toEqual({ defined: [], references: [] });
  expect(footnotesOf("[^a] [^b]\n\n[^b]: b").references).toEqual(["b"]);
  expect(footnotesOf("[^a]", { footnotes: new Set(["a"]) }).references).toEqual(["a"]);
});

test("a note holds its line and what is indented by four, and stays where it stands", () => {
  const tokens = markdownParser().parse("a\n\n[^n]: one\n\n    two\n\nb", {});
  const at = tokens.findIndex(({ type }) => type === "footnote_definition_open");
  expect(tokens[at]).toMatchObject({ meta: { label: "n" }, map: [2, 6] });
  expect(tokens.filter(({ type }) => type === "inline").map(({ content }) => content)).toEqual(["a", "one", "two", "b"]);
  expect(tokens.at(-4)!.type).toBe("footnote_definition_close");
});
