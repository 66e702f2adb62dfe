import { readFileSync } from "node:fs";
import { openapiDocument } from "@stet/contract";
import type { Hono } from "hono";
import type { AppEnv } from "../app.ts";
import { chooseEncoding, matchesEtag } from "../shared/negotiate.ts";
import { compress, encodingFor, etagIn, makePage, type Page } from "../shared/page.ts";
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
const file = (contentType: string, text: string): Page =>
  makePage({ kind: "text", contentType: `${contentType}; charset=utf-8`, text }, { contentVersion: 0, websiteVersion: 0, at: 0 });

/** `/docs`: the reference for people, made once from the document that programs read. */
export function addDocs(app: Hono<AppEnv>, publicUrl: string): void {
  const files: Readonly<Record<string, () => Page>> = {
    "/docs": () => file("text/html", referencePage(openapiDocument(publicUrl))),
    "/docs/errors": () => file("text/html", errorsPage(openapiDocument(publicUrl))),
    "/docs/style.css": () => file("text/css", asset("style.css")),
    "/docs/docs.js": () => file("text/javascript", asset("docs.js")),
    "/docs/icon.svg": () => file("image/svg+xml", asset("icon.svg")),
  };
  for (const [path, make] of Object.entries(files)) {
    // Made when somebody reads it: the service starts without.
    let made: Page | null = null;
    app.get(path, async (c) => {
      const page = (made ??= make());
      const encoding = encodingFor(page, chooseEncoding(c.req.header("Accept-Encoding") ?? ""));
      const headers = { ...HEADERS, ETag: etagIn(page, encoding) };
      if (matchesEtag(c.req.header("If-None-Match") ?? "", page.etag)) return c.body(null, 304, headers);
      const bytes = encoding === "identity" ? page.identity : (page[encoding] ?? (await compress(page, encoding)));
      return c.body(new Uint8Array(bytes), 200, {
        ...headers,
        "Content-Type": page.contentType,
        ...(encoding === "identity" ? {} : { "Content-Encoding": encoding }),
      });
    });
  }
  app.get("/docs/", (c) => c.redirect("/docs", 301));
}
