import type { OpenapiDocument, OpenapiOperation } from "@stet/contract";
import { type Html, html } from "../shared/html.ts";

type Parameter = OpenapiDocument["components"]["parameters"][string];

/**
 * "Try it": hidden until the script is there to serve it. The form is never submitted by the browser; the script reads it
 * and asks the API of the same origin, with the key that stands in memory only.
 */
export function tryForm(path: string, method: string, operation: OpenapiOperation, parameters: readonly Parameter[]): Html | null {
  // A view counted from here would be nobody's reading.
  if (method !== "get") return null;
  const id = operation.operationId;
  return html`<details class="try" hidden>
    <summary>Try it</summary>
    <form data-path="${path}" data-needs-key="${operation.security === undefined ? "yes" : "no"}">
      ${parameters.map((parameter) => field(id, parameter))}
      <button type="submit">Send request</button>
    </form>
    <div class="result" role="status" aria-live="polite"></div>
  </details>`;
}

function field(id: string, { name, in: place, schema, required, example }: Parameter): Html {
  const {
    enum: values,
    type,
    minimum,
    maximum,
  } = schema as { enum?: readonly string[]; type?: string; minimum?: number; maximum?: number };
  const inputId = `${id}-${name}`;
  const choices = values ?? (type === "boolean" ? ["true", "false"] : null);
  const input = choices
    ? html`<select id="${inputId}" name="${name}" data-in="${place}">
        <option value="">–</option>
        ${choices.map((value) => html`<option>${value}</option>`)}
      </select>`
    : html`<input
        id="${inputId}"
        name="${name}"
        data-in="${place}"
        autocomplete="off"
        spellcheck="false"
        ${required ? html`required` : null}
        ${type === "integer" ? html`inputmode="numeric" placeholder="${minimum ?? ""} to ${maximum ?? ""}"` : html`placeholder="${example === undefined ? "" : String(example)}"`}
      />`;
  return html`<label for="${inputId}">${name}</label>${input}`;
}
