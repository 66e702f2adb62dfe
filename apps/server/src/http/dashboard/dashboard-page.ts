import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { fail } from "#domain/failure";
import { chooseEncoding, matchesEtag } from "../shared/negotiate.ts";
import type { Handler } from "../dispatcher.ts";
import type { DashboardFile, DashboardFiles } from "./dashboard-files.ts";

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Stet</title>
<h1>The dashboard is not built</h1>
<p>The API works. The dashboard is built when the service starts, and the log shows why that failed. Fix it, then restart with <code>npm start</code>.</p></html>
`;

/** Nothing from elsewhere, nothing inline but styles with this answer's nonce, and nobody may frame it. */
const policy = (nonce: string): string =>
  `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;

/**
 * The dashboard: one page for every address that a browser opens, and the files it loads. Everything else goes to `next`.
 */
export function createDashboardPage({ index, files }: DashboardFiles, publicUrl: string, next: Handler): Handler {
  const { protocol, hostname } = new URL(publicUrl);
  return (request, response, context) => {
    if (context.path.startsWith("/docs")) return next(request, response, context);
    const isReading = request.method === "GET" || request.method === "HEAD";
    const file = files.get(context.path);
    if (file && isReading) return sendFile(request, response, file);
    if (context.path.startsWith("/assets/")) throw fail("NOT_FOUND", "There is no such file. Reload the page: the dashboard was updated.");
    // The front door opens for curl and for monitors too, which accept anything.
    const isForPeople = context.path === "/" || request.headers.accept?.includes("text/html");
    if (!isReading || !isForPeople) return next(request, response, context);
    if (isOtherLoopback(request, hostname)) {
      // Cookies and sign-in are bound to one name; on the machine itself both names are tried.
      response.writeHead(302, { Location: publicUrl + request.url!, "Cache-Control": "no-store", "Content-Length": 0 });
      response.end();
      return;
    }
    sendPage(response);
  };

  function sendPage(response: ServerResponse): void {
    const nonce = randomBytes(16).toString("base64url");
    const body = Buffer.from(index?.replaceAll("__CSP_NONCE__", nonce) ?? NOT_BUILT);
    response.writeHead(index === null ? 503 : 200, {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Length": body.length,
      // No ETag: a 304 would join the nonce of an old body with the policy of a new answer. The page is a kilobyte.
      "Cache-Control": "no-cache",
      "Content-Security-Policy": policy(nonce),
      "X-Content-Type-Options": "nosniff",
      "X-Frame-Options": "DENY",
      "Referrer-Policy": "same-origin",
      "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
      "Cross-Origin-Opener-Policy": "same-origin",
      "Cross-Origin-Resource-Policy": "same-origin",
      ...(protocol === "https:" && { "Strict-Transport-Security": "max-age=31536000" }),
    });
    response.end(response.req.method === "HEAD" ? undefined : body);
  }
}

async function sendFile(request: IncomingMessage, response: ServerResponse, file: DashboardFile): Promise<void> {
  const accepted = request.headers["accept-encoding"];
  const encoding = file.compressed && typeof accepted === "string" ? chooseEncoding(accepted) : "identity";
  const headers = {
    "Cache-Control": file.isImmutable ? "public, max-age=31536000, immutable" : "no-cache",
    ETag: encoding === "identity" ? file.etag : `W/${file.etag}`,
    Vary: "Accept-Encoding",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
  };
  if (matchesEtag(request.headers["if-none-match"] ?? "", file.etag)) {
    response.writeHead(304, headers);
    response.end();
    return;
  }
  const bytes = encoding === "identity" ? file.bytes : await file.compressed!(encoding);
  response.writeHead(200, {
    ...headers,
    "Content-Type": file.contentType,
    "Content-Length": bytes.length,
    ...(encoding !== "identity" && { "Content-Encoding": encoding }),
  });
  response.end(request.method === "HEAD" ? undefined : bytes);
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

function isOtherLoopback(request: IncomingMessage, publicHostname: string): boolean {
  const asked = request.headers.host?.replace(/:\d+$/, "") ?? "";
  return LOOPBACK.test(publicHostname) && LOOPBACK.test(asked) && asked !== publicHostname;
}
