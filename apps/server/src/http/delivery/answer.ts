import type { UtcDay } from "#domain/utc-day";
import type { Exchange } from "./exchange.ts";
import { rateLimitOf, rateLimitWithoutKey, WITHOUT_KEY_POLICY } from "./limits.ts";
import { spent } from "#usage/meters";
import { wholeOf } from "#usage/rates/kept-bucket";
import type { Encoding } from "../shared/negotiate.ts";
import { etagIn, type CachedResponse } from "../shared/cached-response.ts";

const EXPOSED = "RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, ETag, Link";
const VARY = "Origin, Accept, Accept-Encoding";
const CACHE_CONTROL = "private, no-cache";

/** The headers that stand on every answer, as node:http takes them fastest: name, value, name, value. */
export function commonHeaders(exchange: Exchange, today: UtcDay): string[] {
  const headers = [
    "X-Request-Id",
    exchange.requestId,
    "RateLimit-Policy",
    exchange.entry ? exchange.entry.limits.policy : WITHOUT_KEY_POLICY,
    "RateLimit",
    rateLimit(exchange, today),
    "Vary",
    VARY,
    "X-Content-Type-Options",
    "nosniff",
  ];
  if (exchange.allowOrigin !== null) {
    headers.push("Access-Control-Allow-Origin", exchange.allowOrigin, "Access-Control-Expose-Headers", EXPOSED);
  }
  return headers;
}

function rateLimit({ entry, bucket, now }: Exchange, { month, monthEnd }: UtcDay): string {
  if (!entry) return rateLimitWithoutKey(wholeOf(bucket!));
  return rateLimitOf(
    entry.limits,
    entry.state.bucket && wholeOf(entry.state.bucket),
    bucket && wholeOf(bucket),
    spent(entry.meter, month),
    entry.keyMeter ? spent(entry.keyMeter, month) : 0,
    Math.ceil((monthEnd - now) / 1_000),
  );
}

/** Set when an old answer goes out because the content store does not answer (RFC 9211). */
const STALE = "stet; fwd=stale; detail=CONTENT_STORE_UNAVAILABLE";

export function sendCached(
  exchange: Exchange,
  today: UtcDay,
  cached: CachedResponse,
  answer: { encoding: Encoding; bytes: Buffer; isStale: boolean },
): void {
  const { encoding, bytes } = answer;
  const headers = commonHeaders(exchange, today);
  headers.push("Content-Type", cached.contentType, "Content-Length", cached.lengths[encoding]);
  headers.push("ETag", etagIn(cached, encoding), "Cache-Control", CACHE_CONTROL);
  if (encoding !== "identity") headers.push("Content-Encoding", encoding);
  if (answer.isStale) pushStale(headers, exchange, cached);
  exchange.response.writeHead(200, headers);
  exchange.response.end(exchange.request.method === "HEAD" ? undefined : bytes);
}

export function sendNotModified(exchange: Exchange, today: UtcDay, cached: CachedResponse, encoding: Encoding, isStale: boolean): void {
  const headers = commonHeaders(exchange, today);
  headers.push("ETag", etagIn(cached, encoding), "Cache-Control", CACHE_CONTROL);
  if (isStale) pushStale(headers, exchange, cached);
  exchange.response.writeHead(304, headers);
  exchange.response.end();
}

function pushStale(headers: string[], { now }: Exchange, cached: CachedResponse): void {
  headers.push("Cache-Status", STALE, "Age", String(Math.max(0, Math.floor((now - cached.at) / 1_000))));
}

/** A preflight carries no key, so it is answered for any origin: the request itself is what can be refused. */
export function sendPreflight(exchange: Exchange, today: UtcDay, methods: readonly string[]): void {
  const headers = commonHeaders(exchange, today);
  headers.push(
    "Access-Control-Allow-Methods",
    methods.join(", "),
    // Named one by one: `*` does not stand for Authorization.
    "Access-Control-Allow-Headers",
    "Authorization, Content-Type, If-None-Match, X-Request-Id",
    "Access-Control-Max-Age",
    "86400",
    "Allow",
    [...methods, "OPTIONS"].join(", "),
  );
  exchange.response.writeHead(204, headers);
  exchange.response.end();
}
