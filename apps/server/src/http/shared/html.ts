/** Markup that is ready to be sent. A class, so that nothing else can pass for it. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Scalar = string | number | null | false;
type Part = Html | Scalar | readonly Part[];

/** A template in which every value is escaped unless it is markup already. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let text = texts[0]!;
  for (const [index, part] of parts.entries()) text += textOf(part) + texts[index + 1]!;
  return new Html(text);
}

function textOf(part: Part): string {
  if (part instanceof Html) return part.text;
  if (isList(part)) return part.map(textOf).join("");
  return part === null || part === false ? "" : escape(String(part));
}

/** As Array.isArray, which does not know of lists that may not be changed. */
const isList = (part: Scalar | readonly Part[]): part is readonly Part[] => Array.isArray(part);

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!);

/** Prose of the description: `code` between backticks, and paragraphs between empty lines. */
export const prose = (text: string): Html =>
  new Html(
    text
      .split("\n\n")
      .map((paragraph) => `<p>${inline(paragraph).text}</p>`)
      .join("\n"),
  );

export const inline = (text: string): Html =>
  new Html(
    text
      .split("`")
      .map((part, index) => (index % 2 === 1 ? `<code>${escape(part)}</code>` : escape(part)))
      .join(""),
  );
