import type { IncomingMessage, ServerResponse } from "node:http";
import { fail } from "#domain/failure";
import { createRouter } from "../shared/router.ts";
import type { Handler, RequestContext } from "../dispatcher.ts";
import { requireSameOrigin } from "../shared/same-origin.ts";

/** One request to the private API. */
export interface ApiCall extends RequestContext {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** By name, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

export interface ApiRoute {
  readonly method: "GET" | "POST";
  /** Below /api; `/auth` with a star at its end answers everything below it. */
  readonly path: string;
  handle(call: ApiCall): Promise<void>;
}

export const API_PATH = "/api";

/**
 * The dashboard's private API, on bare node:http because uploads and imports are read as they come. What is not listed is
 * not there, and whatever changes something must come from the dashboard's own pages.
 */
export function createApi(routes: readonly ApiRoute[], publicUrl: string): Handler {
  const prefixes = routes.filter(({ path }) => path.endsWith("/*"));
  const byPath = Map.groupBy(
    routes.filter(({ path }) => !path.endsWith("/*")),
    ({ path }) => path,
  );
  const find = createRouter([...byPath].map(([path, value]) => ({ path, value })));
  const publicOrigin = new URL(publicUrl).origin;

  return async (request, response, context) => {
    const path = context.path.slice(API_PATH.length);
    // Answers are about one person, now.
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
    const match = find(path);
    const prefixed = match ? [] : prefixes.filter((route) => path.startsWith(route.path.slice(0, -1)));
    const candidates = match?.value ?? prefixed;
    if (candidates.length === 0) throw fail("ROUTE_NOT_FOUND", `There is no route ${context.path.slice(0, 200)}.`);
    const method = request.method === "HEAD" ? "GET" : request.method;
    const route = candidates.find((candidate) => candidate.method === method);
    if (!route) {
      const allow = [...new Set(candidates.map((candidate) => candidate.method))].join(", ");
      throw fail("METHOD_NOT_ALLOWED", `Use ${allow} here.`, { allow });
    }
    requireSameOrigin(request, publicOrigin);
    const query = new URLSearchParams(request.url?.split("?")[1] ?? "");
    await route.handle({ ...context, request, response, params: match?.params ?? {}, query });
  };
}
