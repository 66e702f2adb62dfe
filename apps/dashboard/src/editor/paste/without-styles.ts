/**
 * HTML without its style elements. One that is never closed goes to the end, as browsers read it. The text is walked through once: looking
 * for the end anew at every beginning would take minutes for a clipboard that is full of beginnings.
 */
export function withoutStyles(html: string): string {
  const [before = "", ...styled] = html.split(/<style(?=[\s/>])/i);
  return before + styled.map(afterStyle).join("");
}

/** Without an end, all of it belongs to the style; so does another beginning. */
function afterStyle(text: string): string {
  const end = /<\/style\s*>/i.exec(text);
  return end === null ? "" : text.slice(end.index + end[0].length);
}
