/** The bounds that keep a hostile text cheap to read. A construct over its bound is plain text; they lie far beyond a real post. */
export const GRAMMAR_LIMITS = {
  /** Nested blocks, counted as the parser does: a quote or callout is one, a list item two. Each costs a pass over its lines. */
  blockDepth: 16,
  /** Nested brackets and links within one paragraph. Each costs a pass over the paragraph. */
  inlineDepth: 30,
  /** Table cells in one document; short rows are padded, so that cells can outgrow the text by its square. */
  tableCells: 100_000,
  /** Footnote references in one document: each makes two links out of four characters. */
  footnoteReferences: 10_000,
  /** Characters between the braces of a directive. */
  directiveAttributes: 1_024,
} as const;
