import type { OpenapiDocument } from "@stet/contract";
import { guide } from "./guide.ts";
import { html } from "../shared/html.ts";
import { docsPage } from "./docs-page.ts";
import { operationSection } from "./operation.ts";
import { objectSections, schemaAnchor } from "./schemas.ts";

/** The readable reference, made from the same document that programs read. */
export function referencePage(document: OpenapiDocument): string {
  const chapters = guide(document);
  const groups = document.tags.map(({ name, description }) => ({
    name,
    description,
    id: `group-${name.toLowerCase()}`,
    operations: Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, operation]) => (operation.tags[0] === name ? [{ path, method, operation }] : [])),
    ),
  }));
  const navigation = html`<ul>
      ${chapters.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
    </ul>
    ${groups.map(
      ({ name, operations }) =>
        html`<p class="group">${name}</p>
          <ul>
            ${operations.map(({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`)}
          </ul>`,
    )}
    <p class="group">Objects</p>
    <ul>
      ${Object.keys(document.components.schemas).map((name) => html`<li><a href="#${schemaAnchor(name)}">${name}</a></li>`)}
    </ul>`;
  const content = html`<h1>Read a blog over HTTP</h1>
    <p class="lead">
      ${document.info.summary} For programs: <a href="/v1/openapi.json">openapi.json</a> (OpenAPI 3.1). For error handling:
      <a href="/docs/errors">all error codes</a>.
    </p>
    ${chapters.map(
      ({ id, title, body }) =>
        html`<section class="chapter" id="${id}">
          <h2>${title}</h2>
          ${body}
        </section>`,
    )}
    ${groups.map(
      ({ name, description, id, operations }) =>
        html`<section class="group" id="${id}" aria-labelledby="${id}-title">
          <h2 id="${id}-title">${name}</h2>
          <p class="about">${description}</p>
          ${operations.map(({ path, method, operation }) => operationSection(document, path, method, operation))}
        </section>`,
    )}
    <section class="objects" id="objects" aria-labelledby="objects-title">
      <h2 id="objects-title">Objects</h2>
      <p class="about">The objects in answers. More fields may be added; ignore those you do not know.</p>
      ${objectSections(document)}
    </section>`;
  return docsPage({ title: "Stet delivery API", navigation, content, key: true });
}
