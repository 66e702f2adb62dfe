import type { SignInErrorCode } from "./sign-in-errors.ts";

/**
 * Every error a caller can meet, once: its status and a sentence for the docs. The wire form is
 * `application/problem+json` (RFC 9457). Adding a code here makes the generated page docs/errors.md change with it.
 */
export const ERRORS = {
  INVALID_LIMIT: { status: 400, meaning: "`limit` is not a whole number from 1 to 100. It is never clamped." },
  UNSUPPORTED_SORT: { status: 400, meaning: "`sort` is not one of the listed values." },
  INVALID_CURSOR: { status: 400, meaning: "The cursor was altered or belongs to another sort. Start again without a cursor." },
  UNSUPPORTED_CURSOR_VERSION: { status: 400, meaning: "The cursor comes from a newer API version. Start again without a cursor." },
  UNKNOWN_PARAMETER: { status: 400, meaning: "A query parameter does not exist or was sent twice. Paging uses cursors only." },
  INVALID_PARAMETER: { status: 400, meaning: "A query parameter has an invalid value." },
  MALFORMED_BODY: { status: 400, meaning: "The request body does not match its content type." },
  MISSING_API_KEY: { status: 401, meaning: "No key was sent. Send `Authorization: Bearer <API_KEY>`." },
  INVALID_API_KEY: { status: 401, meaning: "The key is unknown or was revoked." },
  NOT_SIGNED_IN: { status: 401, meaning: "There is no session, or it has ended. Sign in again." },
  ORIGIN_NOT_ALLOWED: {
    status: 403,
    meaning: "The key cannot be used from this origin, or a change did not come from the dashboard.",
  },
  INSUFFICIENT_ROLE: { status: 403, meaning: "Your role in the workspace does not allow this." },
  GRANT_FORBIDS: { status: 403, meaning: "The connected app does not have this access, or no app can do this." },
  PLAN_REQUIRED: { status: 403, meaning: "The plan of the workspace does not include the feature." },
  PLAN_LIMIT: { status: 403, meaning: "The limit of the plan, or of the server, is reached; or a smaller plan does not fit what exists." },
  NOT_FOUND: { status: 404, meaning: "It does not exist, or it belongs to someone else." },
  ROUTE_NOT_FOUND: { status: 404, meaning: "There is no such route." },
  METHOD_NOT_ALLOWED: { status: 405, meaning: "The route does not support this method. See the `Allow` header." },
  VERSION_CONFLICT: { status: 409, meaning: "Someone else saved a newer version. Nothing was overwritten." },
  SLUG_TAKEN: { status: 409, meaning: "Another post, category, tag or author of the website has this slug." },
  INVALID_TRANSITION: { status: 409, meaning: "The action is not possible in the current status." },
  OTHER_ACCOUNT: {
    status: 409,
    meaning: "The browser is signed in as another account than the page was opened by. Reload the page. Nothing was changed.",
  },
  PAYLOAD_TOO_LARGE: { status: 413, meaning: "The request body is larger than the limit." },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, meaning: "The content type is not accepted here." },
  VALIDATION_FAILED: { status: 422, meaning: "One or more fields are invalid; `errors` names them." },
  RATE_LIMITED: { status: 429, meaning: "Too many requests. Wait for `Retry-After` seconds." },
  QUOTA_EXCEEDED: { status: 429, meaning: "This month's requests are used up. The count restarts on the 1st (UTC)." },
  INTERNAL: { status: 500, meaning: "An error on our side. Include the request id when you report it." },
  CONTENT_STORE_UNAVAILABLE: { status: 503, meaning: "The content database is not responding. Nothing was lost; try again." },
  UNAVAILABLE: { status: 503, meaning: "The service is starting or stopping, or its database is not responding. Try again." },
  STORAGE_FULL: {
    status: 507,
    meaning:
      "The disk of the server or its database has no space left for this. Reading and deleting still work. Free up space, then try again.",
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
