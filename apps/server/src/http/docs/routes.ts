import { readFileSync } from "node:fs";
import { openapiDocument } from "@stet/contract";
import { fail } from "#domain/failure";
import type { Handler } from "../dispatcher.ts";
import { chooseEncoding, matchesEtag } from "../shared/negotiate.ts";
import { compress, encodingFor, etagIn, makeCachedResponse, type CachedResponse } from "../shared/cached-response.ts";
import { errorsPage } from "./errors-page.ts";
import { referencePage } from "./reference.ts";

/** Nothing from elsewhere, nothing inline, and nobody may frame it: a key is typed into this page. */
const HEADERS = {
  "Content-Security-Policy":
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cache-Control": "no-cache",
  Vary: "Accept-Encoding",
} as const;

const asset = (name: string): string => readFileSync(new URL(`./assets/${name}`, import.meta.url), "utf8");
const file = (contentType: string, text: string): CachedResponse =>
  makeCachedResponse(
    { kind: "text", contentType: `${contentType}; charset=utf-8`, text },
    { contentVersion: 0, websiteVersion: 0, storeEpoch: 0, at: 0 },
  );

/** `/docs`: the reference for people, made once from the document that programs read. There is nothing at any other address. */
export function createDocs(publicUrl: string): Handler {
  const files = new Map<string, () => CachedResponse>([
    ["/docs", () => file("text/html", referencePage(openapiDocument(publicUrl)))],
    ["/docs/errors", () => file("text/html", errorsPage(openapiDocument(publicUrl)))],
    ["/docs/style.css", () => file("text/css", asset("style.css"))],
    ["/docs/docs.js", () => file("text/javascript", asset("docs.js"))],
    ["/docs/icon.svg", () => file("image/svg+xml", asset("icon.svg"))],
  ]);
  const cachedByPath = new Map<string, CachedResponse>();

  return async (request, response, { path }) => {
    const isReading = request.method === "GET" || request.method === "HEAD";
    if (isReading && path === "/docs/") {
      response.writeHead(301, { Location: "/docs", "Content-Length": 0 }).end();
      return;
    }
    // Made when somebody reads it: the service starts without.
    const cached = isReading ? (cachedByPath.get(path) ?? files.get(path)?.()) : undefined;
    if (!cached) throw fail("ROUTE_NOT_FOUND", `There is no route ${path}. See ${publicUrl}/docs for all routes.`);
    cachedByPath.set(path, cached);
    const encoding = encodingFor(cached, chooseEncoding(request.headers["accept-encoding"]?.toString() ?? ""));
    const headers = { ...HEADERS, ETag: etagIn(cached, encoding) };
    if (matchesEtag(request.headers["if-none-match"] ?? "", cached.etag)) {
      response.writeHead(304, headers).end();
      return;
    }
    const bytes = encoding === "identity" ? cached.identity : (cached[encoding] ?? (await compress(cached, encoding)));
    response.writeHead(200, {
      ...headers,
      "Content-Type": cached.contentType,
      "Content-Length": bytes.length,
      ...(encoding !== "identity" && { "Content-Encoding": encoding }),
    });
    response.end(request.method === "HEAD" ? undefined : bytes);
  };
}
