/**
 * The bounds that keep a hostile body of 1 MiB cheap. A construct over its bound is shown as plain text, so nothing a
 * writer typed is ever lost; they lie far beyond what a real post holds.
 */
export const LIMITS = {
  /** Nested blocks, counted as the parser does: a quote or callout is one, a list item two. Each costs a pass over its lines. */
  blockDepth: 16,
  /** Nested brackets and links within one paragraph. Each costs a pass over the paragraph. */
  inlineDepth: 30,
  /** Nested elements in the HTML. Deeper tags are left out, their text stays: browsers stop at 512, readers' parsers recurse. */
  elementDepth: 100,
  /** Table cells in one document; short rows are padded, so that cells can outgrow the text by its square. */
  tableCells: 100_000,
  /** Footnote references in one document: each makes two links out of four characters. */
  footnoteReferences: 10_000,
  /** Headings listed for a table of contents. Later ones are rendered, but not listed. */
  listedHeadings: 2_000,
  /** Characters between the braces of a directive. */
  directiveAttributes: 1_024,
  /** Attributes read of one raw HTML tag. */
  tagAttributes: 64,
  /** Bytes of HTML: a post with two bodies, its text and this must fit a MongoDB document of 16 MiB. */
  htmlBytes: 8 * 1024 * 1024,
} as const;

/** The HTML would be longer than `LIMITS.htmlBytes`. */
export class HtmlTooLong extends Error {
  override readonly name = "HtmlTooLong";
}
