import fc from "fast-check";
import { expect, test } from "vitest";
import { openMarkdown } from "../document/open-markdown.ts";
import { saveMarkdown } from "../document/save-markdown.ts";
import { anyMarkdown } from "./any-markdown.ts";
import { faultsOfEdits, schema } from "./edits.ts";

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
      expect(faultsOfEdits(markdown).faults).toEqual([]);
    }),
    { numRuns: 1_000 },
  );
});
