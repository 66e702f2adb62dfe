import type { IncomingMessage } from "node:http";
import { fail } from "#domain/failure";

/**
 * A cookie comes along with requests of any page, so what a request may do depends on the page it comes from.
 *
 * Changes: `Origin` must be ours. Browsers send it with every POST, so one without it is no browser, or an old one:
 * then `Sec-Fetch-Site` must say `same-origin`, and without either only a JSON body is believed, because a form of another
 * site cannot send one and a script of another site would have to ask first (preflight), which is never allowed.
 *
 * Reading: answers carry no CORS headers, so no other page reads them; a download that another page begins is refused too.
 */
export function requireSameOrigin(request: IncomingMessage, publicOrigin: string): void {
  const { origin } = request.headers;
  const site = request.headers["sec-fetch-site"];
  if (request.method === "GET" || request.method === "HEAD") {
    if (site === "cross-site" || site === "same-site") throw elsewhere(publicOrigin);
    return;
  }
  if (origin !== undefined) {
    if (origin !== publicOrigin) throw elsewhere(publicOrigin);
    return;
  }
  if (site !== undefined ? site !== "same-origin" : !isJson(request)) throw elsewhere(publicOrigin);
}

export const isJson = (request: IncomingMessage): boolean => /^application\/json\s*(?:;|$)/i.test(request.headers["content-type"] ?? "");

const elsewhere = (publicOrigin: string) =>
  fail("ORIGIN_NOT_ALLOWED", `This works only from the dashboard. Open it at ${publicOrigin} and try again.`);
