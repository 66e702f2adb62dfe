import { LIMITS, type OpenapiDocument } from "@stet/contract";
import { type Html, html, inline } from "../shared/html.ts";

type Schema = OpenapiDocument["components"]["schemas"][string];
interface Known {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
}

export const schemaAnchor = (name: string): string => `object-${name}`;

/** The type of a value in words, with links to the objects it is made of. */
export function typeOf(schema: Schema): Html {
  const known = schema as Known;
  if (known.$ref !== undefined) {
    const name = known.$ref.split("/").at(-1)!;
    return html`<a href="#${schemaAnchor(name)}">${name}</a>`;
  }
  if (known.anyOf) return joined(known.anyOf.map(typeOf));
  const prefix = /^\^([a-z]+)_\[/.exec(known.pattern ?? "")?.[1];
  if (prefix !== undefined) return html`id, such as <code>${prefix}_…</code>`;
  if (known.maxLength === LIMITS.slugCharacters) return html`slug`;
  if (known.format === "date-time") return html`timestamp`;
  if (known.type === "array") return html`list of ${typeOf(known.items ?? {})}`;
  if (known.type === "object" && known.properties) {
    return html`object with ${Object.keys(known.properties).map((name, index) => html`${index > 0 ? ", " : ""}<code>${name}</code>`)}`;
  }
  if (known.enum && known.enum.length <= 6)
    return html`${known.enum.map((value, index) => html`${index > 0 ? " or " : ""}<code>${value}</code>`)}`;
  if (Array.isArray(known.type)) return html`${known.type.join(" or ")}`;
  return html`${String(known.type ?? "any JSON value")}`;
}

const joined = (types: readonly Html[]): Html => html`${types.map((type, index) => html`${index > 0 ? " or " : ""}${type}`)}`;

/** Every object of the answers, field by field. */
export function objectSections(document: OpenapiDocument): readonly Html[] {
  return Object.entries(document.components.schemas).map(([name, schema]) => {
    const { properties = {}, required = [], description } = schema as Known;
    return html`<section class="object" id="${schemaAnchor(name)}" aria-labelledby="${schemaAnchor(name)}-title">
      <h3 id="${schemaAnchor(name)}-title">${name} <a class="anchor" href="#${schemaAnchor(name)}" aria-label="Link to ${name}">#</a></h3>
      ${description === undefined ? null : html`<p>${inline(description)}</p>`}
      <dl class="fields">
        ${Object.entries(properties).map(
          ([field, type]) =>
            html`<div>
              <dt><code>${field}</code> <span class="type">${typeOf(type)}${required.includes(field) ? null : ", optional"}</span></dt>
              <dd>${inline((type as Known).description ?? "")}</dd>
            </div>`,
        )}
      </dl>
    </section>`;
  });
}
