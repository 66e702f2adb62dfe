import { type ErrorCode, ERRORS, type Problem } from "../errors.ts";
import { errorTitle } from "../problem.ts";
import { headersOf } from "./headers.ts";
import type { Reference, Response } from "./types.ts";
import { refTo } from "./types.ts";

const REQUEST_ID = "req_01h455vb4pex5vsknk084sn02q";

/** What the API can refuse with, and a sentence it says then. */
const DETAILS = {
  INVALID_LIMIT: { detail: "limit must be a whole number from 1 to 100. Leave it out for 25.", facts: { min: 1, max: 100 } },
  UNSUPPORTED_SORT: { detail: "sort must be -publishedAt, publishedAt, -createdAt, createdAt, -updatedAt, updatedAt, title or -title." },
  INVALID_CURSOR: { detail: "This cursor was altered or cut. Pass it back exactly as received, or start again without one." },
  UNSUPPORTED_CURSOR_VERSION: {
    detail: "This cursor comes from a newer API version. Start again without a cursor.",
    facts: { version: 2, supported: 1 },
  },
  UNKNOWN_PARAMETER: {
    detail: "There is no page parameter: paging uses cursors. Send nextCursor of the previous page as cursor, until it is null.",
    facts: { parameter: "page" },
  },
  INVALID_PARAMETER: { detail: "featured must be true or false.", facts: { parameter: "featured", allowed: ["true", "false"] } },
  MALFORMED_BODY: { detail: 'The body is not JSON in UTF-8. Send {"website":"site_…","post":"its slug or id"}.' },
  MISSING_API_KEY: { detail: "Send the website's key: Authorization: Bearer stet_…" },
  INVALID_API_KEY: { detail: "This key is unknown or was revoked. Make a new one on the website's API keys page." },
  ORIGIN_NOT_ALLOWED: { detail: "This key may not be used from https://elsewhere.example. Add the domain to the key's allowed origins." },
  PLAN_REQUIRED: { detail: "The free plan does not include search. The owner of the workspace can change its plan." },
  NOT_FOUND: { detail: "There is no such published post here. It may have been removed, or you may not have access to it." },
  ROUTE_NOT_FOUND: { detail: "There is no route /v1/blog/article. See /docs for all routes." },
  METHOD_NOT_ALLOWED: { detail: "Use GET or HEAD here. API keys can only read.", facts: { allow: "GET, HEAD, OPTIONS" } },
  PAYLOAD_TOO_LARGE: { detail: "The body is larger than 4096 bytes.", facts: { mostBytes: 4096 } },
  UNSUPPORTED_MEDIA_TYPE: { detail: "Send JSON in UTF-8 as application/json or, from a beacon, as text/plain." },
  VALIDATION_FAILED: {
    detail: "settings.publicUrl: is not set.",
    errors: [{ field: "settings.publicUrl", message: "is not set. Add the website's public address in its settings" }],
  },
  RATE_LIMITED: { detail: "Too many requests. Try again in 1 s.", facts: { retryAfterSeconds: 1 } },
  QUOTA_EXCEEDED: {
    detail: "The 10000 requests of this month are used up. The count restarts on the 1st (UTC).",
    facts: { retryAfterSeconds: 1209600 },
  },
  INTERNAL: { detail: `Something went wrong on our side. Try again; if it happens again, report it with the request id ${REQUEST_ID}.` },
  CONTENT_STORE_UNAVAILABLE: {
    detail: "The content database is not responding. Nothing was lost; try again in a few seconds.",
  },
  UNAVAILABLE: { detail: "The database is not responding. Nothing was lost; try again in a few seconds." },
} as const satisfies Partial<Record<ErrorCode, Partial<Problem> & { detail: string }>>;

export type DeliveryErrorCode = keyof typeof DETAILS;

function problemOf(code: DeliveryErrorCode, publicUrl: string): Problem {
  const { detail, ...more }: Partial<Problem> & { detail: string } = DETAILS[code];
  const type = `${publicUrl}/docs/errors#${code}`;
  return { type, title: errorTitle(code), status: ERRORS[code].status, detail, code, requestId: REQUEST_ID, ...more };
}

/** One example for every error that the API can answer with. */
export function problemExamples(publicUrl: string): Record<string, { summary: string; value: Problem }> {
  const codes = Object.keys(DETAILS) as DeliveryErrorCode[];
  return Object.fromEntries(codes.map((code) => [code, { summary: ERRORS[code].meaning, value: problemOf(code, publicUrl) }]));
}

const STATUS_WORDS: Readonly<Record<number, string>> = {
  400: "The request is invalid",
  401: "No valid key was sent",
  403: "Not allowed",
  404: "Not found",
  405: "The method is not supported here",
  413: "The body is too large",
  415: "The content type is not accepted",
  422: "Something must be set up first",
  429: "Too many requests",
  500: "An error on our side",
  503: "The service or its database is not available right now",
};

/** Answers that many addresses give in the same way. */
const SHARED = {
  Unauthorized: ["MISSING_API_KEY", "INVALID_API_KEY"],
  NotFound: ["NOT_FOUND"],
  MethodNotAllowed: ["METHOD_NOT_ALLOWED"],
  TooManyRequests: ["RATE_LIMITED", "QUOTA_EXCEEDED"],
  TooManyFromAddress: ["RATE_LIMITED"],
  ServerFault: ["INTERNAL"],
  ServiceUnavailable: ["CONTENT_STORE_UNAVAILABLE", "UNAVAILABLE"],
} as const satisfies Record<string, readonly DeliveryErrorCode[]>;

export const sharedProblemResponses = (): Record<string, Response> =>
  Object.fromEntries(Object.entries(SHARED).map(([name, codes]) => [name, responseOf(ERRORS[codes[0]].status, codes)]));

/** One response for each status that these codes have, with an example for each code. */
export function problemResponses(codes: readonly DeliveryErrorCode[]): Record<string, Response | Reference> {
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status);
  return Object.fromEntries(
    [...byStatus].toSorted(([left], [right]) => left - right).map(([status, ofStatus]) => [String(status), sharedOr(status, ofStatus)]),
  );
}

function sharedOr(status: number, codes: readonly DeliveryErrorCode[]): Response | Reference {
  const shared = Object.entries(SHARED).find(([, own]) => own.join() === codes.join());
  return shared ? refTo("responses", shared[0]) : responseOf(status, codes);
}

function responseOf(status: number, codes: readonly DeliveryErrorCode[]): Response {
  const names = codes.map((code) => `\`${code}\``);
  const extra =
    status === 401
      ? (["WWW-Authenticate"] as const)
      : status === 405
        ? (["Allow"] as const)
        : status === 429 || status === 503
          ? (["Retry-After"] as const)
          : [];
  return {
    description: `${STATUS_WORDS[status]}: ${names.join(", ")}.`,
    headers: headersOf(...extra),
    content: {
      "application/problem+json": {
        schema: refTo("schemas", "Problem"),
        examples: Object.fromEntries(codes.map((code) => [code, refTo("examples", code)])),
      },
    },
  };
}
