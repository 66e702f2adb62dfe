import type { SignInErrorCode } from "./sign-in-errors.ts";

/**
 * Every error a caller can meet, once: its status and a sentence for the docs. The wire form is
 * `application/problem+json` (RFC 9457). Adding a code here makes the generated page docs/errors.md change with it.
 */
export const ERRORS = {
  INVALID_LIMIT: { status: 400, meaning: "`limit` is not a whole number from 1 to 100. It is never clamped." },
  UNSUPPORTED_SORT: { status: 400, meaning: "`sort` is not in the closed list of sort values." },
  INVALID_CURSOR: { status: 400, meaning: "The cursor was altered, or belongs to another sort. Start again without a cursor." },
  UNSUPPORTED_CURSOR_VERSION: { status: 400, meaning: "The cursor comes from a newer API version. Start again without a cursor." },
  UNKNOWN_PARAMETER: { status: 400, meaning: "A query parameter does not exist, or was given twice. Paging is by cursor only." },
  INVALID_PARAMETER: { status: 400, meaning: "A query parameter has a value it cannot take." },
  MALFORMED_BODY: { status: 400, meaning: "The request body is not what its content type says." },
  MISSING_API_KEY: { status: 401, meaning: "No key was sent. Send `Authorization: Bearer <API_KEY>`." },
  INVALID_API_KEY: { status: 401, meaning: "The key is unknown or was revoked." },
  NOT_SIGNED_IN: { status: 401, meaning: "There is no session, or it has ended. Sign in again." },
  ORIGIN_NOT_ALLOWED: {
    status: 403,
    meaning: "The key may not be used from this origin; or a change did not come from the dashboard's own pages.",
  },
  INSUFFICIENT_ROLE: { status: 403, meaning: "Your role in the workspace does not allow this." },
  GRANT_FORBIDS: { status: 403, meaning: "The connected tool was not granted this, or no tool may ever do it." },
  PLAN_REQUIRED: { status: 403, meaning: "The plan of the workspace does not include the feature." },
  PLAN_LIMIT: { status: 403, meaning: "The limit of the plan, or of the server, is reached; or a smaller plan does not fit what exists." },
  NOT_FOUND: { status: 404, meaning: "It does not exist, or it belongs to someone else." },
  ROUTE_NOT_FOUND: { status: 404, meaning: "There is no such address." },
  METHOD_NOT_ALLOWED: { status: 405, meaning: "The address exists, the method does not. See the `Allow` header." },
  VERSION_CONFLICT: { status: 409, meaning: "Someone saved a newer version meanwhile. Nothing was overwritten." },
  SLUG_TAKEN: { status: 409, meaning: "Another post, category, tag or author of the website has this slug." },
  INVALID_TRANSITION: { status: 409, meaning: "The action does not exist in the present state." },
  PAYLOAD_TOO_LARGE: { status: 413, meaning: "The request body is larger than the limit." },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, meaning: "The content type is not accepted here." },
  VALIDATION_FAILED: { status: 422, meaning: "One or more fields are at fault; `errors` names them." },
  RATE_LIMITED: { status: 429, meaning: "Too many requests. Wait for `Retry-After` seconds." },
  QUOTA_EXCEEDED: { status: 429, meaning: "The month's requests are spent. They start anew on the 1st (UTC)." },
  INTERNAL: { status: 500, meaning: "A fault of ours. Quote the request id when you report it." },
  CONTENT_STORE_UNAVAILABLE: { status: 503, meaning: "The database that holds the content does not answer. Nothing was lost; try again." },
  UNAVAILABLE: { status: 503, meaning: "The service is starting, stopping, or its database does not answer. Try again." },
  STORAGE_FULL: {
    status: 507,
    meaning: "The disk of the server, or of its database, has no room for this. Reading and deleting go on. Make room, then try again.",
  },
} as const satisfies Record<string, { status: number; meaning: string }>;

export type ErrorCode = keyof typeof ERRORS;

export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** The body of every error answer. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ErrorCode | SignInErrorCode;
  readonly requestId: string;
  readonly errors?: readonly FieldError[];
  /** Facts a program can act on, such as the current version after a conflict. */
  readonly facts?: Readonly<Record<string, unknown>>;
}
