import type { RouteAnswer } from "#delivery/read-route";
import { chooseEncoding, matchesEtag } from "../shared/negotiate.ts";
import { bytesIn, compress, encodingFor, etagIn, makeCachedResponse } from "../shared/cached-response.ts";
import type { PublicRoute } from "./public-route.ts";
import { readQuery } from "./query.ts";

/** It changes only with the service itself. */
const CACHE_CONTROL = "public, max-age=300";

/** An address without a key that always answers the same, made once. Readable by pages of any origin. */
export function fixedRoute(path: string, answer: RouteAnswer, options: Pick<PublicRoute, "isLimitedElsewhere"> = {}): PublicRoute {
  const cached = makeCachedResponse(answer, { contentVersion: 0, websiteVersion: 0, storeEpoch: 0, at: 0 });
  return {
    path,
    methods: ["GET", "HEAD"],
    ...options,
    async handle(request, response) {
      readQuery(request.url ?? "", []);
      const { "accept-encoding": accepted, "if-none-match": ifNoneMatch } = request.headers;
      const encoding = encodingFor(cached, typeof accepted === "string" ? chooseEncoding(accepted) : "identity");
      const headers = {
        ETag: etagIn(cached, encoding),
        "Cache-Control": CACHE_CONTROL,
        // A page that isolates itself takes only what says that it may.
        "Cross-Origin-Resource-Policy": "cross-origin",
      };
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
