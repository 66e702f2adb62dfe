import { ERRORS, openapiDocument, SIGN_IN_ERRORS } from "@stet/contract";
import { type DefaultTreeAdapterTypes, parse } from "parse5";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDispatcher } from "../dispatcher.ts";
import { createDocs } from "./routes.ts";
import { type HttpServer, startHttpServer } from "../server.ts";
import { html, inline } from "../shared/html.ts";

const PUBLIC_URL = "https://stet.example";
let server: HttpServer;
let url: string;
beforeAll(async () => {
  const log = { debug() {}, info() {}, error() {} };
  const options = { publicUrl: PUBLIC_URL, log, checks: [], isStopping: () => false, routes: [], fallback: createDocs(PUBLIC_URL) };
  server = await startHttpServer({ host: "127.0.0.1", port: 0, publicUrl: PUBLIC_URL, handle: createDispatcher(options) });
  url = `http://127.0.0.1:${server.port}`;
});
afterAll(() => server.stop(0));

type Element = DefaultTreeAdapterTypes.Element;

interface Read {
  readonly elements: readonly Element[];
  readonly problems: readonly string[];
  readonly ids: readonly string[];
}

async function read(path: string): Promise<Read> {
  const problems: string[] = [];
  const document = parse(await (await fetch(url + path)).text(), { onParseError: (error) => void problems.push(error.code) });
  const elements: Element[] = [];
  const walk = (node: DefaultTreeAdapterTypes.Node): void => {
    if ("attrs" in node) elements.push(node);
    if ("childNodes" in node) node.childNodes.forEach(walk);
  };
  walk(document);
  return { elements, problems, ids: elements.flatMap((element) => attribute(element, "id") ?? []) };
}
const attribute = (element: Element, name: string): string | undefined => element.attrs.find((attr) => attr.name === name)?.value;

describe.each(["/docs", "/docs/errors"])("%s", (path) => {
  test("is well-formed HTML in which every id is there once", async () => {
    const { problems, ids } = await read(path);
    expect(problems).toEqual([]);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  test("loads nothing from elsewhere and has no inline script or style", async () => {
    const response = await fetch(url + path);
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:|data:/);
    const { elements } = await read(path);
    for (const element of elements) {
      expect(element.attrs.filter(({ name }) => name.startsWith("on") || name === "style")).toEqual([]);
      if (element.tagName === "style") throw new Error("an inline style");
      if (element.tagName === "script") expect(attribute(element, "src")).toBe("/docs/docs.js");
      const loaded = ["script", "link", "img", "iframe"].includes(element.tagName)
        ? (attribute(element, "src") ?? attribute(element, "href"))
        : undefined;
      if (loaded !== undefined) expect((await fetch(url + loaded)).status, loaded).toBe(200);
    }
  });

  test("every link within the reference leads somewhere", async () => {
    const pages = { "/docs": (await read("/docs")).ids, "/docs/errors": (await read("/docs/errors")).ids };
    const { elements } = await read(path);
    const links = elements.filter((element) => element.tagName === "a").map((element) => attribute(element, "href")!);
    expect(links.length).toBeGreaterThan(20);
    for (const link of links) {
      const [target = "", id] = link.split("#");
      const page = (target === "" ? path : target) as keyof typeof pages;
      if (page in pages && id !== undefined) expect(pages[page], link).toContain(id);
      else expect(["/", "/docs", "/docs/errors", "/v1/openapi.json"], link).toContain(target);
    }
  });

  test("can be read by ear and used by keyboard: a language, one main, headings in order, labels for all fields", async () => {
    const { elements } = await read(path);
    expect(
      attribute(
        elements.find((element) => element.tagName === "html")!,
        "lang",
      ),
    ).toBe("en");
    expect(elements.filter((element) => element.tagName === "main")).toHaveLength(1);
    const levels = elements.filter((element) => /^h\d$/.test(element.tagName)).map((element) => Number(element.tagName[1]));
    expect(levels[0]).toBe(1);
    for (const [index, level] of levels.entries()) if (index > 0) expect(level - levels[index - 1]!).toBeLessThanOrEqual(1);
    const labelled = elements.filter((element) => element.tagName === "label").map((element) => attribute(element, "for"));
    for (const field of elements.filter((element) => ["input", "select"].includes(element.tagName)))
      expect(labelled).toContain(attribute(field, "id"));
    for (const block of elements.filter((element) => element.tagName === "pre")) expect(attribute(block, "tabindex")).toBe("0");
  });
});

test("every address and every object of the document has its place in the reference", async () => {
  const { ids } = await read("/docs");
  const document = openapiDocument(PUBLIC_URL);
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item).map((operation) => operation.operationId));
  expect(ids).toEqual(expect.arrayContaining(operations));
  expect(ids).toEqual(expect.arrayContaining(Object.keys(document.components.schemas).map((name) => `object-${name}`)));
});

test("every error code has the anchor that `type` of a problem leads to", async () => {
  expect((await read("/docs/errors")).ids).toEqual(expect.arrayContaining([...Object.keys(ERRORS), ...Object.keys(SIGN_IN_ERRORS)]));
  const problem = (await (await fetch(`${url}/nowhere`)).json()) as { type: string };
  const { pathname, hash } = new URL(problem.type);
  expect((await read(pathname)).ids).toContain(hash.slice(1));
});

test("samples name this install, and a copy that is still good is not sent again", async () => {
  const response = await fetch(`${url}/docs`);
  expect(await response.text()).toContain(`${PUBLIC_URL}/v1/blog/posts`);
  expect(response.headers.get("content-encoding")).toBe("gzip");
  const again = await fetch(`${url}/docs`, { headers: { "If-None-Match": response.headers.get("etag")! } });
  expect(again.status).toBe(304);
  expect(await again.text()).toBe("");
});

test("HEAD is answered without the page, a slash at the end leads to it, and nothing can be sent", async () => {
  const head = await fetch(`${url}/docs`, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  const slash = await fetch(`${url}/docs/`, { redirect: "manual" });
  expect([slash.status, slash.headers.get("location")]).toEqual([301, "/docs"]);
  expect((await fetch(`${url}/docs`, { method: "POST" })).status).toBe(404);
  expect((await fetch(`${url}/docs/nothing`)).status).toBe(404);
});

test("what is written into a page is escaped", () => {
  const hostile = `<script>"'&</script>`;
  const escaped = "&lt;script&gt;&quot;&#39;&amp;&lt;/script&gt;";
  expect(html`<p title="${hostile}">${hostile}${[hostile]}</p>`.text).toBe(`<p title="${escaped}">${escaped}${escaped}</p>`);
  expect(inline(`a \`${hostile}\` b ${hostile}`).text).toBe(`a <code>${escaped}</code> b ${escaped}`);
});

test("the script keeps the key nowhere", async () => {
  const script = await (await fetch(`${url}/docs/docs.js`)).text();
  expect(script).not.toMatch(/localStorage|sessionStorage|indexedDB|cookie|innerHTML|insertAdjacentHTML|eval/);
});
