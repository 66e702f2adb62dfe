import { Html, html } from "../shared/html.ts";

/** Each kind of token of JSON, in the order they are looked for. */
const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d+(?:\.\d+)?)|(true|false|null)|([^"\d-]+|.)/g;

/** JSON with a class for each kind of token. */
export function jsonCode(value: unknown): Html {
  const text = JSON.stringify(value, null, 2);
  const parts = [...text.matchAll(TOKEN)].map(([all, string, colon, number, word]) => {
    if (string !== undefined && colon !== undefined) return html`<span class="k">${string}</span>${colon}`;
    if (string !== undefined) return html`<span class="s">${string}</span>`;
    if (number !== undefined) return html`<span class="n">${number}</span>`;
    if (word !== undefined) return html`<span class="w">${word}</span>`;
    return html`${all}`;
  });
  return new Html(parts.map((part) => part.text).join(""));
}

/** A block of code that a script may give a copy button. `tabindex`: a reader without a mouse must be able to scroll it. */
export const codeBlock = (label: string, code: Html | string, kind = ""): Html =>
  html`<figure class="code ${kind}">
    <figcaption>${label}</figcaption>
    <pre tabindex="0" aria-label="${label}"><code>${code}</code></pre>
  </figure>`;
