import { fail } from "#domain/failure";

const ALLOWED_HEADERS = "authorization, content-type, accept, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id, last-event-id";
const EXPOSED_HEADERS = "WWW-Authenticate, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, Mcp-Session-Id";
const LOOPBACK = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

/**
 * Which pages may call: those of this service, and those a developer's own machine serves, such as the Inspector. Any other
 * page in a browser is refused, so that a name that is made to point here (DNS rebinding) opens nothing. Programs send none.
 */
export function allowOrigin(origin: string | undefined, publicOrigin: string): Record<string, string> {
  if (origin === undefined) return {};
  if (origin !== publicOrigin && !LOOPBACK.test(origin)) {
    throw fail(
      "ORIGIN_NOT_ALLOWED",
      "Pages from this origin cannot call the MCP server. Connect from a program, or from a page of this server.",
    );
  }
  return { "Access-Control-Allow-Origin": origin, "Access-Control-Expose-Headers": EXPOSED_HEADERS, Vary: "Origin" };
}

export const PREFLIGHT = {
  "Access-Control-Allow-Methods": "POST, OPTIONS",
  "Access-Control-Allow-Headers": ALLOWED_HEADERS,
  "Access-Control-Max-Age": "86400",
} as const;
