/**
 * The bounds that keep the HTML of a hostile body of 1 MiB cheap, beside those of the grammar. Nothing a writer typed is ever
 * lost; they lie far beyond what a real post holds.
 */
export const LIMITS = {
  /** Nested elements in the HTML. Deeper tags are left out, their text stays: browsers stop at 512, readers' parsers recurse. */
  elementDepth: 100,
  /** Headings listed for a table of contents. Later ones are rendered, but not listed. */
  listedHeadings: 2_000,
  /** Attributes read of one raw HTML tag. */
  tagAttributes: 64,
  /** Bytes of HTML: a post with two bodies, its text and this must fit a MongoDB document of 16 MiB. */
  htmlBytes: 8 * 1024 * 1024,
} as const;

/** The HTML would be longer than `LIMITS.htmlBytes`. */
export class HtmlTooLong extends Error {
  override readonly name = "HtmlTooLong";
}
