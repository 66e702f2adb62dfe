import type { OpenapiDocument, OpenapiOperation } from "@stet/contract";
import { codeBlock, jsonCode } from "./code.ts";
import { type Html, html, prose } from "../shared/html.ts";
import { parameterList, parametersIn } from "./parameters.ts";
import { samplesOf } from "./samples.ts";
import { typeOf } from "./schemas.ts";
import { tryForm } from "./try-form.ts";

interface Media {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
}

/** One address: what it takes, what it answers, what can go wrong, and how to ask. */
export function operationSection(document: OpenapiDocument, path: string, method: string, operation: OpenapiOperation): Html {
  const id = operation.operationId;
  const parameters = parametersIn(document, operation);
  const samples = samplesOf(document, method, path, operation);
  return html`<section class="operation" id="${id}" aria-labelledby="${id}-title">
    <div class="words">
      <h3 id="${id}-title">${operation.summary} <a class="anchor" href="#${id}" aria-label="Link to ${operation.summary}">#</a></h3>
      <p class="address">
        <span class="method">${method.toUpperCase()}</span> <code>/v1${breakable(path)}</code>
        ${operation.security === undefined ? null : html`<span class="badge">no key needed</span>`}
      </p>
      ${prose(operation.description)} ${parameters.length > 0 ? parameterList(parameters) : null}
      ${
        operation.requestBody
          ? html`<h4>Body</h4>
              <p>${typeOf(bodySchema(operation))} as JSON, at most 4 KB.</p>`
          : null
      }
      <h4>Answer</h4>
      ${answerOf(operation)}
      <h4>Errors</h4>
      <p class="codes">${errorCodes(document, operation).map((code) => html`<a href="/docs/errors#${code}"><code>${code}</code></a> `)}</p>
      ${tryForm(path, method, operation, parameters)}
    </div>
    <div class="samples">
      ${codeBlock("curl", samples.curl, "in-curl")} ${codeBlock("JavaScript", samples.javascript, "in-javascript")} ${exampleOf(operation)}
    </div>
  </section>`;
}

/** Long paths may break before a slash. */
const breakable = (path: string): readonly Html[] =>
  path.split(/(?=\/)/).map((part, index) => (index === 0 ? html`${part}` : html`<wbr />${part}`));

const bodySchema = (operation: OpenapiOperation) => operation.requestBody!.content["application/json"]!.schema as Media["schema"];

function contentOf(operation: OpenapiOperation): readonly [string, Media][] {
  const answer = operation.responses["200"];
  return answer && "content" in answer ? (Object.entries(answer.content ?? {}) as unknown as [string, Media][]) : [];
}

function answerOf(operation: OpenapiOperation): Html {
  const content = contentOf(operation);
  if (content.length === 0) return html`<p><code>204</code>, empty.</p>`;
  return html`<ul class="plain">
    ${content.map(([type, { schema }]) => {
      const { properties } = schema as { properties?: Record<string, Media["schema"]> };
      const shape = properties
        ? html`:
          ${Object.entries(properties).map(([name, value], index) => html`${index > 0 ? ", " : ""}<code>${name}</code> is ${article(value)}${typeOf(value)}`)}`
        : schema["$ref"] === undefined
          ? null
          : html`: ${typeOf(schema)}`;
      return html`<li><code>${type}</code>${shape}</li>`;
    })}
  </ul>`;
}

const article = (schema: Media["schema"]): string => (schema["type"] === "array" ? "a " : "");

function exampleOf(operation: OpenapiOperation): Html | null {
  const shown = contentOf(operation).flatMap(([type, { examples }]) => {
    const value = examples?.["example"]?.value;
    return value === undefined ? [] : [{ type, value }];
  });
  const [first] = shown;
  if (!first) return null;
  const code = typeof first.value === "string" ? first.value : jsonCode(first.value);
  return html`<details class="example" open>
    <summary>Example answer</summary>
    ${codeBlock(first.type, code)}
  </details>`;
}

/** Every code that the answers name, in the order of their status. */
function errorCodes(document: OpenapiDocument, operation: OpenapiOperation): readonly string[] {
  return Object.values(operation.responses).flatMap((response) => {
    const found = "$ref" in response ? document.components.responses[response.$ref.split("/").at(-1)!] : response;
    return Object.keys(found?.content?.["application/problem+json"]?.examples ?? {});
  });
}
