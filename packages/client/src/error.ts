import type { ErrorCode } from "./api-types.ts";

/** What the client itself can find wrong; every other code comes from the service. */
export type ClientErrorCode = "INVALID_INPUT" | "NETWORK_ERROR" | "TIMEOUT" | "ABORTED" | "INVALID_RESPONSE" | "INVALID_SIGNATURE";

export interface StetErrorFacts {
  /** The HTTP status; 0 when there was no answer. */
  readonly status?: number;
  readonly code: ClientErrorCode | ErrorCode;
  /** Tells the operator of the server which request it was. */
  readonly requestId?: string | null;
  /** Seconds after which to try again, where the server said so. */
  readonly retryAfter?: number | null;
  /** What is wrong with single fields. */
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
  readonly cause?: unknown;
}

/** Every failure. Program against `code`; `message` tells people what to do. */
export class StetError extends Error {
  override readonly name = "StetError";
  readonly status: number;
  readonly code: ClientErrorCode | ErrorCode;
  readonly requestId: string | null;
  readonly retryAfter: number | null;
  readonly errors: readonly { readonly field: string; readonly message: string }[];

  constructor(message: string, facts: StetErrorFacts) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.status = facts.status ?? 0;
    this.code = facts.code;
    this.requestId = facts.requestId ?? null;
    this.retryAfter = facts.retryAfter ?? null;
    this.errors = facts.errors ?? [];
  }

  /** Also true for an error of another copy of this package, for which `instanceof` is false: the ESM and the CommonJS one, or two versions. */
  static is(error: unknown): error is StetError {
    return error instanceof Error && error.name === "StetError" && "code" in error;
  }
}

export const invalidInput = (message: string): StetError => new StetError(message, { code: "INVALID_INPUT" });
