import { PREVIEW_HEADERS, type ReadPreview } from "#delivery/preview";
import { bytesOf } from "../shared/cached-response.ts";
import type { PublicRoute } from "./public-route.ts";
import { readQuery } from "./query.ts";

/** `GET /v1/preview/{token}`: the working copy of one post, for a reader with the token. */
export function previewRoute(read: ReadPreview): PublicRoute {
  return {
    path: "/preview/{token}",
    methods: ["GET", "HEAD"],
    async handle(request, response, { params }) {
      for (const [name, value] of Object.entries(PREVIEW_HEADERS)) response.setHeader(name, value);
      readQuery(request.url ?? "", []);
      const body = bytesOf(await read(params.token!));
      response.writeHead(200, { "Content-Type": "application/json", "Content-Length": body.length });
      response.end(request.method === "HEAD" ? undefined : body);
    },
  };
}
