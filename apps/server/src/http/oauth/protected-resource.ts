import type { IncomingMessage, ServerResponse } from "node:http";
import { fail } from "#domain/failure";
import { MCP_PATH } from "#domain/oauth-record";

export const PROTECTED_RESOURCE_PATH = "/.well-known/oauth-protected-resource";

/** RFC 9728: which authorisation server a client of the MCP endpoint goes to. The same below the path and without it. */
export function answerProtectedResource(publicUrl: string, request: IncomingMessage, response: ServerResponse, path: string): void {
  if (path !== PROTECTED_RESOURCE_PATH && path !== PROTECTED_RESOURCE_PATH + MCP_PATH) {
    throw fail("ROUTE_NOT_FOUND", `There is one protected resource here: ${publicUrl}${MCP_PATH}.`);
  }
  response.setHeader("Access-Control-Allow-Origin", "*");
  if (request.method === "OPTIONS") {
    response.writeHead(204, {
      "Access-Control-Allow-Methods": "GET",
      "Access-Control-Allow-Headers": "*",
      "Access-Control-Max-Age": "86400",
    });
    response.end();
    return;
  }
  if (request.method !== "GET" && request.method !== "HEAD") {
    throw fail("METHOD_NOT_ALLOWED", "This document can only be read.", { allow: "GET, HEAD" });
  }
  const body = Buffer.from(
    JSON.stringify({
      resource: publicUrl + MCP_PATH,
      resource_name: "Stet",
      authorization_servers: [publicUrl],
      scopes_supported: ["mcp"],
      bearer_methods_supported: ["header"],
      resource_documentation: `${publicUrl}/docs`,
    }),
  );
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": body.length, "Cache-Control": "public, max-age=300" });
  response.end(request.method === "HEAD" ? undefined : body);
}
