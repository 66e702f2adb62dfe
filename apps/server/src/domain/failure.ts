import type { ErrorCode, FieldError } from "@stet/contract";

/** An expected refusal: a code of the contract, a sentence that says what to do next, and facts. Never a bug. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly code: ErrorCode;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly errors: readonly FieldError[];

  constructor(code: ErrorCode, message: string, facts: Readonly<Record<string, unknown>> = {}, errors: readonly FieldError[] = []) {
    super(message);
    this.code = code;
    this.facts = facts;
    this.errors = errors;
  }
}

export function fail(code: ErrorCode, message: string, facts?: Readonly<Record<string, unknown>>): Failure {
  return new Failure(code, message, facts);
}

/** 422 with every field at fault, so that a writer mends all of them at once. */
export function invalid(errors: readonly FieldError[]): Failure {
  const [first, ...rest] = errors;
  const more = rest.length > 0 ? ` (and ${rest.length} more)` : "";
  return new Failure("VALIDATION_FAILED", `${first?.field ?? "input"}: ${first?.message ?? "is not valid"}${more}`, {}, errors);
}

export function notFound(what: string): Failure {
  return new Failure("NOT_FOUND", `There is no such ${what} here. It may have been removed, or you may not have access to it.`);
}
