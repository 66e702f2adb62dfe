import { HeadingIds, measure } from "@stet/markdown";
import type { Rendering } from "#domain/post";
import { escapeText, HtmlWriter } from "./html-writer.ts";
import { LIMITS } from "./limits.ts";
import { parser } from "./parser.ts";
import { writeTokens } from "./write-tokens.ts";

/** Raise it whenever the HTML of some body changes: old posts are then rendered anew. */
export const RENDERER_VERSION = 3;

/** A body as readers get it. Never throws, whatever the text; the same text gives the same rendering. */
export function renderMarkdown(markdown: string): Rendering {
  const writer = writeMarkdown(markdown);
  const html = writer?.html() ?? "";
  if (writer === null || Buffer.byteLength(html) > LIMITS.htmlBytes) return asTyped(markdown);
  const text = writer.plainText();
  return { rendererVersion: RENDERER_VERSION, html, headings: writer.headings, text, ...measure(text) };
}

/** Null when the body can only be shown as typed. */
function writeMarkdown(markdown: string): HtmlWriter | null {
  const writer = new HtmlWriter({ headingIds: new HeadingIds(), maxLength: LIMITS.htmlBytes });
  try {
    writeTokens(parser.parse(markdown, {}), writer);
    writer.end();
    return writer;
  } catch {
    // Too long (HtmlTooLong), or a fault in the parser: a body shown as typed can be read and reported, a failure cannot be published.
    return null;
  }
}

/** The last resort, say for a body of 300 000 empty headings: its text, as it was typed. */
function asTyped(markdown: string): Rendering {
  const text = markdown.replaceAll("\0", "\ufffd");
  const html = `<pre class="markdown-source">${escapeText(text)}</pre>\n`;
  return { rendererVersion: RENDERER_VERSION, html, headings: [], text, ...measure(text) };
}
