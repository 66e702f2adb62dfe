import { openapiDocument } from "@stet/contract";
import { chooseEncoding, matchesEtag } from "../shared/negotiate.ts";
import { bytesIn, compress, encodingFor, etagIn, makeCachedResponse } from "../shared/cached-response.ts";
import type { PublicRoute } from "./public-route.ts";
import { readQuery } from "./query.ts";

/** It changes only with the service itself. */
const CACHE_CONTROL = "public, max-age=300";

/** `GET /v1/openapi.json`: the description of the API, made once. Public, and readable by pages of any origin. */
export function openapiRoute(publicUrl: string): PublicRoute {
  const cached = makeCachedResponse({ kind: "json", value: openapiDocument(publicUrl) }, { contentVersion: 0, websiteVersion: 0, at: 0 });
  return {
    path: "/openapi.json",
    methods: ["GET", "HEAD"],
    async handle(request, response) {
      readQuery(request.url ?? "", []);
      const { "accept-encoding": accepted, "if-none-match": ifNoneMatch } = request.headers;
      const encoding = encodingFor(cached, typeof accepted === "string" ? chooseEncoding(accepted) : "identity");
      const headers = { ETag: etagIn(cached, encoding), "Cache-Control": CACHE_CONTROL };
      if (ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, cached.etag)) {
        response.writeHead(304, headers);
        response.end();
        return;
      }
      const bytes = bytesIn(cached, encoding) ?? (encoding === "identity" ? cached.identity : await compress(cached, encoding));
      response.writeHead(200, {
        ...headers,
        "Content-Type": cached.contentType,
        "Content-Length": bytes.length,
        ...(encoding === "identity" ? {} : { "Content-Encoding": encoding }),
      });
      response.end(request.method === "HEAD" ? undefined : bytes);
    },
  };
}
