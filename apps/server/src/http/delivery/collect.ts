import type { IncomingMessage, ServerResponse } from "node:http";
import { collectBody, type CollectJson } from "@stet/contract";
import type { Collector } from "#delivery/collect";
import { fail } from "#domain/failure";
import type { Handler } from "../dispatcher.ts";
import { readBody } from "../read-body.ts";

const MOST_BYTES = 4 * 1024;
const ALLOW = "POST, OPTIONS";
/** What `sendBeacon` and `fetch` send; parameters other than the one charset of JSON are refused with it. */
const CONTENT_TYPE = /^(application\/json|text\/plain)\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/**
 * `POST /v1/collect`: somebody read a post. Public; never takes a key. The answer is 204 whether it was counted or not:
 * bots, prefetches, whoever sends `DNT: 1` or `Sec-GPC: 1`, and posts that are not published are not.
 */
export function createCollectHandler(options: {
  readonly collector: Collector;
  /** The network address a request comes from, in one form. */
  readonly addressOf: (request: IncomingMessage) => string;
  /** Takes a token of the address and sets the rate headers; throws RATE_LIMITED. */
  readonly admit: (address: string, response: ServerResponse) => void;
}): Handler {
  return async (request, response) => {
    const { origin } = request.headers;
    allowOrigin(response, origin);
    const address = options.addressOf(request);
    options.admit(address, response);
    if (request.method === "OPTIONS") {
      answerPreflight(response);
      return;
    }
    if (request.method !== "POST") throw fail("METHOD_NOT_ALLOWED", "Use POST to say that a post was read.", { allow: ALLOW });
    const { website, post, referrer } = parse(await readBody(acceptable(request), MOST_BYTES));
    try {
      await options.collector.collect({
        website,
        post,
        referrer: referrer ?? null,
        address,
        userAgent: request.headers["user-agent"] ?? "",
        origin: origin ?? null,
        wantsPrivacy: request.headers["dnt"] === "1" || request.headers["sec-gpc"] === "1",
        isPrefetch: /prefetch|prerender|preview/i.test(String(request.headers["sec-purpose"] ?? request.headers["purpose"] ?? "")),
      });
    } catch (error) {
      // As with keys: a refused origin may not even read why.
      response.removeHeader("Access-Control-Allow-Origin");
      throw error;
    }
    response.writeHead(204, { "Cache-Control": "no-store" });
    response.end();
  };
}

/**
 * `sendBeacon` sends JSON as a request with credentials, which `*` does not cover. Naming the origin and allowing
 * credentials gives nothing away here: no cookie is read, and the answer is empty.
 */
function allowOrigin(response: ServerResponse, origin: string | undefined): void {
  response.setHeader("Vary", "Origin");
  response.setHeader("Access-Control-Allow-Origin", origin ?? "*");
  if (origin !== undefined) response.setHeader("Access-Control-Allow-Credentials", "true");
  response.setHeader("Access-Control-Expose-Headers", "RateLimit, RateLimit-Policy, Retry-After, X-Request-Id");
}

function answerPreflight(response: ServerResponse): void {
  response.writeHead(204, {
    "Access-Control-Allow-Methods": ALLOW,
    "Access-Control-Allow-Headers": "Content-Type",
    "Access-Control-Max-Age": "86400",
  });
  response.end();
}

function acceptable(request: IncomingMessage): IncomingMessage {
  const encoding = request.headers["content-encoding"] ?? "identity";
  if (CONTENT_TYPE.test(request.headers["content-type"] ?? "") && encoding === "identity") return request;
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
  throw fail("MALFORMED_BODY", `Not understood: ${fields.join(", ")}. Send {"website":"site_…","post":"its slug or id"}.`, { fields });
}
