import { randomBytes } from "node:crypto";
import type { PreviewPostJson } from "@stet/contract";
import { PREVIEW_HEADERS, type ReadPreview } from "#delivery/preview";
import { fail, Failure } from "#domain/failure";
import type { Handler } from "../dispatcher.ts";
import { Html, html } from "../shared/html.ts";
import { PREVIEW_STYLE } from "./preview-style.ts";

export const PREVIEW_PATH = "/preview";

/** `GET /preview/{token}`: the working copy of one post as a page to read, for a reader with the link. */
export function createPreviewPage(read: ReadPreview): Handler {
  return async (request, response, { path }) => {
    if (request.method !== "GET" && request.method !== "HEAD") {
      throw fail("METHOD_NOT_ALLOWED", "A preview can only be read.", { allow: "GET, HEAD" });
    }
    const nonce = randomBytes(16).toString("base64url");
    const post = await read(path.slice(PREVIEW_PATH.length + 1)).then(
      (answer) => (answer.kind === "json" ? (answer.value as { data: PreviewPostJson }).data : null),
      (error: unknown) => {
        if (error instanceof Failure && error.code === "NOT_FOUND") return null;
        throw error;
      },
    );
    const body = Buffer.from((post ? pageOf(post, nonce) : endedPage(nonce)).text);
    response.writeHead(post ? 200 : 404, {
      ...PREVIEW_HEADERS,
      "Content-Type": "text/html; charset=utf-8",
      "Content-Length": body.length,
      // The text that people wrote is shown, never run, and from an origin of its own: it cannot reach the dashboard's cookie.
      "Content-Security-Policy": `sandbox allow-popups; default-src 'none'; img-src 'self' https: data:; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`,
      "X-Content-Type-Options": "nosniff",
    });
    response.end(request.method === "HEAD" ? undefined : body);
  };
}

function pageOf(post: PreviewPostJson, nonce: string): Html {
  const names = post.authors.map((author) => author.name).join(", ");
  const day = new Date(post.publishedAt).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
  const cover = post.coverImage;
  const title = post.title || "Untitled";
  const what = post.status === "published" ? "Preview of unpublished changes" : "Preview of a draft";
  return documentOf(
    title,
    nonce,
    html`<div class="banner" role="status">
        ${what} — expires <time datetime="${post.expiresAt}">${post.expiresAt.slice(11, 16)} UTC</time>
      </div>
      <main>
        <article>
          <h1>${title}</h1>
          ${post.excerpt && html`<p class="lead">${post.excerpt}</p>`}
          <p class="by">${[names, day, `${post.readingMinutes} min read`].filter(Boolean).join(" · ")}</p>
          ${cover && html`<img class="cover" src="${cover.url}" alt="${cover.alt}" width="${cover.width}" height="${cover.height}" />`}
          ${new Html(withLinksForPlayers(post.body?.html ?? ""))}
        </article>
      </main>`,
  );
}

/** Players need scripts, and nothing may run here: a link stands in the place of each. */
const withLinksForPlayers = (body: string): string =>
  body.replaceAll(/<iframe src="([^"]*)" title="([^"]*)"[^>]*><\/iframe>/g, '<a class="player" href="$1">▶ $2</a>');

const endedPage = (nonce: string): Html =>
  documentOf(
    "Preview",
    nonce,
    html`<main class="ended">
      <h1>This preview has ended</h1>
      <p>Preview links work for an hour. Ask for a new one.</p>
    </main>`,
  );

const documentOf = (title: string, nonce: string, content: Html): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <style nonce="${nonce}">
          ${new Html(PREVIEW_STYLE)}
        </style>
      </head>
      <body>
        ${content}
      </body>
    </html> `;
