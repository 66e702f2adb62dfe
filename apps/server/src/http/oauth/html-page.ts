import { randomBytes } from "node:crypto";
import { Html, html } from "../shared/html.ts";
import { PAGE_STYLE } from "./html-page-style.ts";

/** A page of the authorisation server, ready to be sent: no script, no frame, and its form leads where it says. */
export interface HtmlPage {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** `formTargets`: where its form may lead besides here; browsers ask for every redirect that follows it. */
export function htmlPage(publicUrl: string, title: string, content: Html, formTargets: readonly string[] = []): HtmlPage {
  const nonce = randomBytes(16).toString("base64url");
  const body = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} · Stet</title>
        <style nonce="${nonce}">
          ${new Html(PAGE_STYLE)}
        </style>
      </head>
      <body>
        <main>
          <p class="brand">Stet</p>
          <div class="card">${content}</div>
        </main>
      </body>
    </html> `;
  const formAction = ["'self'", ...formTargets].join(" ");
  return {
    body: body.text,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'`,
      "X-Frame-Options": "DENY",
      "X-Content-Type-Options": "nosniff",
      "Cache-Control": "no-store",
      // Not no-referrer: then a browser would send its form with `Origin: null`.
      "Referrer-Policy": "same-origin",
      "Cross-Origin-Opener-Policy": "same-origin",
      "Cross-Origin-Resource-Policy": "same-origin",
      ...(publicUrl.startsWith("https:") && { "Strict-Transport-Security": "max-age=31536000" }),
    },
  };
}
