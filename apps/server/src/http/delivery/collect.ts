import type { IncomingMessage } from "node:http";
import { collectBody, type CollectJson } from "@stet/contract";
import type { Collector } from "#delivery/collect";
import { fail } from "#domain/failure";
import { readBody } from "../shared/read-body.ts";
import type { PublicRoute } from "./public-route.ts";
import { readQuery } from "./query.ts";

const MOST_BYTES = 4 * 1024;
/** The content types that `sendBeacon` and `fetch` send; a parameter other than the one charset of JSON is refused. */
const CONTENT_TYPE = /^(application\/json|text\/plain)\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/**
 * `POST /v1/collect`: somebody read a post. Public; never takes a key. The answer is 204 whether it was counted or not:
 * bots, prefetches, whoever sends `DNT: 1` or `Sec-GPC: 1`, and posts that are not published are not. The gate answers
 * preflights and limits each address; a foreign page may read why it was refused, for it holds nothing of anybody.
 */
export function collectRoute(collector: Collector): PublicRoute {
  return {
    path: "/collect",
    methods: ["POST"],
    takesCredentials: true,
    async handle(request, response, { clientAddress }) {
      readQuery(request.url ?? "", []);
      requireContentType(request);
      const { website, post, referrer } = parse(await readBody(request, response, MOST_BYTES));
      const { headers } = request;
      await collector.collect({
        website,
        post,
        referrer: referrer ?? null,
        address: clientAddress,
        userAgent: headers["user-agent"] ?? "",
        origin: headers.origin ?? null,
        wantsPrivacy: headers["dnt"] === "1" || headers["sec-gpc"] === "1",
        isPrefetch: /prefetch|prerender|preview/i.test(String(headers["sec-purpose"] ?? headers["purpose"] ?? "")),
      });
      response.writeHead(204, { "Cache-Control": "no-store" });
      response.end();
    },
  };
}

function requireContentType({ headers }: IncomingMessage): void {
  const encoding = headers["content-encoding"] ?? "identity";
  if (CONTENT_TYPE.test(headers["content-type"] ?? "") && encoding === "identity") return;
  throw fail("UNSUPPORTED_MEDIA_TYPE", "Send JSON in UTF-8 as application/json or, from a beacon, as text/plain.", {
    accepted: ["application/json", "text/plain"],
  });
}

function parse(body: Buffer): CollectJson {
  let sent: unknown;
  try {
    sent = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw fail("MALFORMED_BODY", 'The body is not JSON in UTF-8. Send {"website":"site_…","post":"its slug or id"}.');
  }
  const parsed = collectBody.safeParse(sent);
  if (parsed.success) return parsed.data;
  const fields = [...new Set(parsed.error.issues.map((issue) => issue.path.join(".") || "the body"))];
  throw fail("MALFORMED_BODY", `Invalid: ${fields.join(", ")}. Send {"website":"site_…","post":"its slug or id"}.`, { fields });
}
