import type { ErrorCode, FieldError, SignInErrorCode } from "@stet/contract";

/** A refusal of the server, or a request without an answer (`status` 0): it never arrived (`OFFLINE`), or its answer did not (`UNREADABLE`). */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: ErrorCode | SignInErrorCode | "OFFLINE" | "UNREADABLE";
  readonly errors: readonly FieldError[];
  readonly facts: Readonly<Record<string, unknown>>;
  readonly requestId: string | null;

  constructor(problem: {
    status: number;
    code: ApiProblem["code"];
    detail: string;
    errors?: readonly FieldError[];
    facts?: Readonly<Record<string, unknown>>;
    requestId?: string | null;
  }) {
    super(problem.detail);
    this.name = "ApiProblem";
    this.status = problem.status;
    this.code = problem.code;
    this.errors = problem.errors ?? [];
    this.facts = problem.facts ?? {};
    this.requestId = problem.requestId ?? null;
  }

  /** The error of one field, if it has one. */
  fieldError(field: string): string | undefined {
    return this.errors.find((error) => error.field === field || error.field.startsWith(`${field}.`))?.message;
  }
}

export const isProblem = (error: unknown, code: ApiProblem["code"]): error is ApiProblem =>
  error instanceof ApiProblem && error.code === code;

/** The message about any failure, for people. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiProblem && error.errors.length > 0) {
    return worded(error.errors);
  }
  return error instanceof Error ? error.message : "Something went wrong. Try again.";
}

/** The message for the whole form: the errors that none of `fields` shows beside itself. */
export function formErrorOf(error: unknown, fields: readonly string[]): string | undefined {
  if (error === null || error === undefined) return undefined;
  if (!(error instanceof ApiProblem) || error.errors.length === 0) return messageOf(error);
  const rest = error.errors.filter(({ field }) => !fields.some((shown) => field === shown || field.startsWith(`${shown}.`)));
  return rest.length === 0 ? undefined : worded(rest);
}

const worded = (errors: readonly FieldError[]): string => errors.map(({ field, message }) => `${field} ${message}`).join("; ");
