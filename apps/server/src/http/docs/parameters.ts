import type { OpenapiDocument, OpenapiOperation } from "@stet/contract";
import { type Html, html, inline } from "../shared/html.ts";

type Parameter = OpenapiDocument["components"]["parameters"][string];

/** The parameters of an operation, references followed. */
export const parametersIn = (document: OpenapiDocument, operation: OpenapiOperation): readonly Parameter[] =>
  (operation.parameters ?? []).map((parameter) =>
    "$ref" in parameter ? document.components.parameters[parameter.$ref.split("/").at(-1)!]! : parameter,
  );

export function parameterList(parameters: readonly Parameter[]): Html {
  return html`<h4>Parameters</h4>
    <dl class="fields">
      ${parameters.map(
        (parameter) =>
          html`<div>
            <dt><code>${parameter.name}</code> <span class="type">${typeWords(parameter)}</span></dt>
            <dd>${inline(parameter.description)}${valuesOf(parameter)}</dd>
          </div>`,
      )}
    </dl>`;
}

function typeWords({ schema, required, in: place }: Parameter): string {
  const { type, minimum, maximum } = schema as { type?: string; minimum?: number; maximum?: number };
  const range = minimum !== undefined && maximum !== undefined ? `, ${minimum} to ${maximum}` : "";
  return `${type ?? "text"}${range}${place === "path" ? ", in the path" : required ? ", required" : ""}`;
}

function valuesOf({ schema }: Parameter): Html | null {
  const { enum: values, default: standard } = schema as { enum?: readonly string[]; default?: string | number | boolean };
  const shown = values ? html`<br /><span class="values">${values.map((value) => html`<code>${value}</code> `)}</span>` : null;
  const without = standard === undefined ? null : html` <span class="default">Default <code>${String(standard)}</code>.</span>`;
  return html`${without}${shown}`;
}
