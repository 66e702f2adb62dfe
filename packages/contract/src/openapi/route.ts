import { headersOf } from "./headers.ts";
import { type ParameterName, parametersOf } from "./parameters.ts";
import { type DeliveryErrorCode, problemResponses } from "./problems.ts";
import type { MediaType, Operation, Response } from "./types.ts";
import { refTo } from "./types.ts";

/** One address that answers GET with a key; what all of them share is added by `operationOf`. */
export interface ReadRoute {
  readonly path: string;
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly ParameterName[];
  readonly answers: Readonly<Record<string, MediaType>>;
  readonly errors?: readonly DeliveryErrorCode[];
}

const ALWAYS: readonly DeliveryErrorCode[] = [
  "UNKNOWN_PARAMETER",
  // A percent sign that begins no character, or a NUL, in whatever was sent.
  "INVALID_PARAMETER",
  "MISSING_API_KEY",
  "INVALID_API_KEY",
  "ORIGIN_NOT_ALLOWED",
  "METHOD_NOT_ALLOWED",
  "RATE_LIMITED",
  "QUOTA_EXCEEDED",
  "INTERNAL",
  "CONTENT_STORE_UNAVAILABLE",
  "UNAVAILABLE",
];

/** What a parameter can be refused with. */
const REFUSALS: Partial<Record<ParameterName, readonly DeliveryErrorCode[]>> = {
  limit: ["INVALID_LIMIT"],
  cursor: ["INVALID_CURSOR", "UNSUPPORTED_CURSOR_VERSION"],
  since: ["INVALID_CURSOR", "UNSUPPORTED_CURSOR_VERSION"],
  sort: ["UNSUPPORTED_SORT"],
  sortName: ["UNSUPPORTED_SORT"],
  sortMedia: ["UNSUPPORTED_SORT"],
  slugOrId: ["NOT_FOUND"],
  slug: ["NOT_FOUND"],
  mediaId: ["NOT_FOUND"],
};

export const NOT_MODIFIED: Response = {
  description: "Nothing changed since the answer whose `ETag` you sent as `If-None-Match`. Not counted against the month.",
  headers: headersOf("ETag", "Cache-Control"),
};

export function operationOf(route: ReadRoute): Operation {
  const codes = new Set([...route.parameters.flatMap((name) => REFUSALS[name] ?? []), ...(route.errors ?? []), ...ALWAYS]);
  return {
    operationId: route.id,
    summary: route.summary,
    description: route.description,
    tags: [route.tag],
    ...(route.parameters.length > 0 ? { parameters: parametersOf(route.parameters) } : {}),
    responses: {
      "200": { description: "The answer.", headers: headersOf("ETag", "Cache-Control"), content: route.answers },
      "304": refTo("responses", "NotModified"),
      ...problemResponses([...codes]),
    },
  };
}
