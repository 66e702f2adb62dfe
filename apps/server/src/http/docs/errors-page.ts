import { type ErrorCode, ERRORS, errorTitle, type OpenapiDocument, SIGN_IN_ERRORS } from "@stet/contract";
import { codeBlock, jsonCode } from "./code.ts";
import { type Html, html, inline } from "../shared/html.ts";
import { docsPage } from "./docs-page.ts";

/** Every error there is, with the anchor that `type` of a problem leads to. */
export function errorsPage(document: OpenapiDocument): string {
  const codes = Object.keys(ERRORS) as ErrorCode[];
  const byStatus = [...Map.groupBy(codes, (code) => ERRORS[code].status)].toSorted(([left], [right]) => left - right);
  const navigation = html`<ul>
      <li><a href="/docs">The reference</a></li>
    </ul>
    ${byStatus.map(
      ([status, ofStatus]) =>
        html`<p class="group">${status}</p>
          <ul>
            ${ofStatus.map((code) => html`<li><a href="#${code}">${errorTitle(code)}</a></li>`)}
          </ul>`,
    )}`;
  const content = html`<h1>Errors</h1>
    <p class="lead">
      Every error answer is <code>application/problem+json</code> (RFC 9457) with one of these codes. <code>detail</code> tells people what
      to do next, <code>facts</code> holds values for programs.
    </p>
    ${byStatus.map(
      ([status, ofStatus]) =>
        html`<section class="group" aria-labelledby="status-${status}">
          <h2 id="status-${status}">${status}</h2>
          ${ofStatus.map((code) => errorSection(document, code))}
        </section>`,
    )}
    <section class="group" aria-labelledby="signing-in">
      <h2 id="signing-in">Signing in</h2>
      <p>Only the dashboard's own API answers with these.</p>
      ${Object.entries(SIGN_IN_ERRORS).map(([code, { words }]) => section(code, html`<p>${words}</p>`))}
    </section>`;
  return docsPage({ title: "Errors · Stet delivery API", navigation, content, key: false });
}

function errorSection(document: OpenapiDocument, code: ErrorCode): Html {
  const example = document.components.examples[code];
  return section(
    code,
    html`<p>${inline(ERRORS[code].meaning)}</p>
      ${
        example
          ? html`<details class="example">
              <summary>Example</summary>
              ${codeBlock("application/problem+json", jsonCode(example.value))}
            </details>`
          : null
      }`,
  );
}

const section = (code: string, content: Html): Html =>
  html`<section class="error" id="${code}" aria-labelledby="${code}-title">
    <h3 id="${code}-title"><code>${code}</code> <a class="anchor" href="#${code}" aria-label="Link to ${code}">#</a></h3>
    ${content}
  </section>`;
