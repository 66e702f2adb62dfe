import type { Header, Reference } from "./types.ts";
import { refTo } from "./types.ts";

export const HEADERS = {
  "X-Request-Id": {
    description: "On every answer. A valid one you send (letters, digits, `.`, `_`, `-`, up to 64) is used.",
    schema: { type: "string" },
    example: "req_01h455vb4pex5vsknk084sn02q",
  },
  "RateLimit-Policy": {
    description:
      "On every answer of the API. The limits that apply: `q` requests in `w` seconds. With a key these are the website's bucket (`burst`) and the workspace's month (`month`); without one, the address's bucket (`address`).",
    schema: { type: "string" },
    example: '"burst";q=50;w=5, "month";q=10000;w=2592000',
  },
  RateLimit: {
    description: "On every answer of the API. What is left: `r` requests now, and `t` seconds until the limit is full again.",
    schema: { type: "string" },
    example: '"burst";r=49;t=1, "month";r=9876;t=1209600',
  },
  "Retry-After": {
    description: "Seconds after which to try again.",
    schema: { type: "integer", minimum: 1 },
    example: 1,
  },
  ETag: {
    description: "A hash of the answer. Send it back as `If-None-Match`: while nothing changed the answer is 304, which is free.",
    schema: { type: "string" },
    example: 'W/"mX2yV0dFfZ3Yc1pHk8QwJr0aB7E"',
  },
  "Cache-Control": {
    description: "Whether and how long the answer may be cached.",
    schema: { type: "string" },
    example: "private, no-cache",
  },
  Allow: { description: "The methods this route supports.", schema: { type: "string" }, example: "GET, HEAD, OPTIONS" },
  "WWW-Authenticate": { description: "How to send a key.", schema: { type: "string" }, example: 'Bearer realm="stet"' },
} as const satisfies Record<string, Header>;

type HeaderName = keyof typeof HEADERS;

/** References to these headers, with those that stand on every answer. */
export function headersOf(...names: readonly HeaderName[]): Record<string, Reference> {
  const all: readonly HeaderName[] = ["X-Request-Id", "RateLimit-Policy", "RateLimit", ...names];
  return Object.fromEntries(all.map((name) => [name, refTo("headers", name)]));
}
