import type { ServerResponse } from "node:http";
import { type ErrorCode, ERRORS, errorTitle, type Problem } from "@stet/contract";
import { fail, Failure } from "#domain/failure";
import { storageFull } from "#domain/disk-space";
import type { RequestId } from "#domain/ids";
import { isDiskFull } from "#operations/kernel/require-disk-space";

export interface ProblemContext {
  readonly requestId: RequestId;
  readonly publicUrl: string;
}

export interface ProblemAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Seconds after which a caller may try again, where the failure does not say so itself. */
const RETRY_AFTER: Partial<Record<ErrorCode, number>> = {
  RATE_LIMITED: 1,
  QUOTA_EXCEEDED: 3600,
  UNAVAILABLE: 5,
  CONTENT_STORE_UNAVAILABLE: 5,
  STORAGE_FULL: 60,
};

/** Any error as the answer a caller may see. An unexpected one says nothing about our insides: those are for the log. */
export function answerProblem(error: unknown, context: ProblemContext): ProblemAnswer {
  const failure = toFailure(error, context.requestId);
  const { status } = ERRORS[failure.code];
  const problem: Problem = {
    type: `${context.publicUrl}/docs/errors#${failure.code}`,
    title: errorTitle(failure.code),
    status,
    detail: failure.message,
    code: failure.code,
    requestId: context.requestId,
    ...(failure.errors.length > 0 ? { errors: failure.errors } : {}),
    ...(Object.keys(failure.facts).length > 0 ? { facts: failure.facts } : {}),
  };
  return {
    status,
    headers: { "Content-Type": "application/problem+json", "Cache-Control": "no-store", ...extraHeaders(failure) },
    body: JSON.stringify(problem),
  };
}

export function sendProblem(response: ServerResponse, error: unknown, context: ProblemContext): void {
  if (response.headersSent) {
    // Half an answer is out already. Cutting the connection is the only way to say that it is not whole.
    response.destroy();
    return;
  }
  const { status, headers, body } = answerProblem(error, context);
  response.writeHead(status, { ...headers, "Content-Length": Buffer.byteLength(body) });
  response.end(response.req.method === "HEAD" ? undefined : body);
}

/** Whether the error is a fault of ours, to be logged in full, and not a refusal that the caller understands. */
export const isUnexpected = (error: unknown): boolean => !(error instanceof Failure) && !isOutage(error);

function toFailure(error: unknown, requestId: RequestId): Failure {
  if (error instanceof Failure) return error;
  if (isDiskFull(error)) return storageFull("full");
  if (isOutage(error)) return fail("UNAVAILABLE", "The database is not responding. Nothing was lost; try again in a few seconds.");
  return fail("INTERNAL", `Something went wrong on our side. Try again; if it happens again, report it with the request id ${requestId}.`);
}

/** Whether it has a reason that the caller is not told, an outage included: a store that failed keeps it as the cause, for the log. */
export const hasHiddenReason = (error: unknown): boolean => !(error instanceof Failure) || error.cause !== undefined;

/** SQLSTATE classes that mean "not now": 08 connection, 53 no room, 57P shutdown and start-up, 58 the disk, 25006 a replica, 25P03 we were stopped. */
const NOT_NOW = /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|08...|53...|57P..|58...|25006|25P03)$/;
/** Messages of errors that the driver throws without a code. */
const NO_CONNECTION = /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** The database is gone, just starting or has no room: passes by itself, so the caller is told to come again. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // Node tries every address of a name and gathers the failures.
  if (error instanceof AggregateError) return error.errors.some(isOutage);
  const { code, syscall } = error as NodeJS.ErrnoException;
  // Other connections say in their own words what failed. A Unix socket that is gone is a file that is not there.
  if (syscall === "connect" || syscall === "getaddrinfo") return true;
  return typeof code === "string" ? NOT_NOW.test(code) : NO_CONNECTION.test(error.message);
}

function extraHeaders(failure: Failure): Record<string, string> {
  const headers: Record<string, string> = {};
  const { allow, retryAfterSeconds } = failure.facts;
  const retry = typeof retryAfterSeconds === "number" ? Math.max(1, Math.ceil(retryAfterSeconds)) : RETRY_AFTER[failure.code];
  if (retry !== undefined) headers["Retry-After"] = String(retry);
  if (failure.code === "METHOD_NOT_ALLOWED" && typeof allow === "string") headers["Allow"] = allow;
  if (failure.code === "MISSING_API_KEY") headers["WWW-Authenticate"] = `Bearer realm="stet"`;
  if (failure.code === "INVALID_API_KEY") headers["WWW-Authenticate"] = `Bearer realm="stet", error="invalid_token"`;
  return headers;
}
