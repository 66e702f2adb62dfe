import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { fail } from "#domain/failure";
import type { RequestId } from "#domain/ids";
import type { Handler, HttpLog } from "./dispatcher.ts";
import { addDocs } from "./docs/routes.ts";
import { answerProblem, isUnexpected } from "./shared/problem.ts";

/** What every Hono route can use, as `c.env`. */
export interface AppEnv {
  Bindings: { requestId: RequestId };
}

/** Everything that is not on bare node:http: the dashboard, its private API, the docs. */
export function createApp(options: { publicUrl: string; log: HttpLog }): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.notFound((c) =>
    problemResponse(
      fail("ROUTE_NOT_FOUND", `There is nothing at ${c.req.path}. ${options.publicUrl}/docs lists the addresses.`),
      c.env.requestId,
    ),
  );
  app.onError((error, c) => {
    if (isUnexpected(error)) options.log.error({ requestId: c.env.requestId, err: error }, "A request failed unexpectedly");
    return problemResponse(error, c.env.requestId);
  });

  function problemResponse(error: unknown, requestId: RequestId): Response {
    const { status, headers, body } = answerProblem(error, { requestId, publicUrl: options.publicUrl });
    return new Response(body, { status, headers });
  }
  addDocs(app, options.publicUrl);
  return app;
}

/** Hono behind the dispatcher. */
export function appHandler(app: Hono<AppEnv>, publicUrl: string): Handler {
  const publicHost = new URL(publicUrl).host;
  return async (request, response, { requestId }) => {
    // Addresses are made from PUBLIC_URL only: whatever Host the client sent, no route sees it.
    request.headers.host = publicHost;
    let refused: unknown;
    const listener = getRequestListener((webRequest) => app.fetch(webRequest, { requestId }), {
      overrideGlobalObjects: false,
      errorHandler(error) {
        refused = error;
      },
    });
    await listener(request, response);
    // The request could not even be made into a web request.
    if (refused !== undefined) throw fail("MALFORMED_BODY", "The request could not be read. Check its address and headers.");
  };
}
