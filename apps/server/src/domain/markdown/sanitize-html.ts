import { HtmlWriter } from "./html-writer.ts";
import { RawHtml } from "./raw-html.ts";

/**
 * HTML that was kept where others can write (a customer's own database), reduced to what `renderMarkdown` could have
 * made. What `renderMarkdown` did make comes back unchanged.
 */
export function sanitizeHtml(html: string): string {
  const writer = new HtmlWriter();
  new RawHtml(writer).read(html);
  writer.end();
  return writer.html();
}
