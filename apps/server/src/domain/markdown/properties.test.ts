import fc from "fast-check";
import { expect, test } from "vitest";
import { ATTACK_VECTORS } from "#test/markdown/attack-vectors";
import { forbiddenIn } from "#test/markdown/forbidden-in";
import { renderMarkdown } from "./render.ts";
import { sanitizeHtml } from "./sanitize-html.ts";

/** Random characters seldom form anything; random pieces of markup do. */
const PIECES =
  '<|>|</|/>|<p|<a href=|<img src=|<svg>|<math>|<style>|<script>|<!--|-->|<h2 id=a>|</h2>|<b>|</b>|<div>|</div>|<table>|<td>|<iframe src=|"|\'|=| |\n|\n\n|    |\t|# |- |1. |> |* |**|_|~~|`|```|[|](|)|]|![|![a](/b "|"){.wide}|){.full}|[^a]|[^a]: |:::note|:::|::youtube{id=|}|\\|&|&amp;|&#58;|;|javascript:|https://a.b/|www.|a@b.c|onclick=x|id=x|a|字|\0|\ud800|🎉|---|:-|#a'.split(
    "|",
  );
const markup = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...PIECES) },
      { weight: 1, arbitrary: fc.constantFrom(...ATTACK_VECTORS) },
      { weight: 1, arbitrary: fc.string() },
    ),
    {
      maxLength: 40,
    },
  )
  .map((pieces) => pieces.join(""));
const anything = fc.oneof(markup, fc.string({ unit: "binary", maxLength: 200 }));

test("whatever the body, only allowed elements, attributes and addresses come out", () => {
  fc.assert(
    fc.property(anything, (body) => {
      const { html } = renderMarkdown(body);
      expect(forbiddenIn(html)).toEqual([]);
      // The last resort is for bodies far longer than these: here it would mean that the parser failed.
      expect(html).not.toContain("markdown-source");
    }),
    { numRuns: 2_000 },
  );
});

test("whatever the HTML, sanitising leaves only what is allowed, and a second time changes nothing", () => {
  fc.assert(
    fc.property(anything, (html) => {
      const once = sanitizeHtml(html);
      expect(forbiddenIn(once)).toEqual([]);
      expect(sanitizeHtml(once)).toBe(once);
    }),
    { numRuns: 2_000 },
  );
});

test("what the renderer made passes the sanitiser unchanged", () => {
  fc.assert(
    fc.property(anything, (body) => {
      const { html } = renderMarkdown(body);
      expect(sanitizeHtml(html)).toBe(html);
    }),
    { numRuns: 2_000 },
  );
});

test("headings have the ids that stand in the HTML, each once", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constantFrom("a", "a-1", "a 1", "A", "", "user-content-a"), fc.string()), { maxLength: 12 }),
      (titles) => {
        const { html, headings } = renderMarkdown(titles.map((title) => `# ${title}`).join("\n\n"));
        const ids = [...html.matchAll(/<h[1-6] id="([^"]*)"/g)].map((match) => match[1]);
        expect(headings.map(({ id }) => id)).toEqual(ids);
        expect(new Set(ids).size).toBe(ids.length);
      },
    ),
  );
});

test("words without markup are never lost", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("one", "two", "> ", "- ", "* ", "1. ", ":::note\n", ":::\n", "\n", "\n\n", "    ", "# ", "|", "[^x]"), {
        maxLength: 60,
      }),
      (pieces) => {
        const count = (text: string): number => text.split(/one|two/).length;
        expect(count(renderMarkdown(pieces.join(" ")).text)).toBe(count(pieces.join(" ")));
      },
    ),
    { numRuns: 1_000 },
  );
});
