import { errorTitle, type Problem, SIGN_IN_ERRORS, type SignInErrorCode } from "@stet/contract";
import { fail } from "#domain/failure";
import { answerProblem, type ProblemAnswer, type ProblemContext } from "../shared/problem.ts";

/** For how long the auth library locks a second factor, in seconds. */
const LOCKED_SECONDS = 900;

/** A refusal of the auth library in the form of every other refusal: with a code where people meet it, and words that say what to do. */
export function authProblem(answer: { status: number; body: string }, context: ProblemContext): ProblemAnswer {
  const code = codeIn(answer.body);
  // Why it failed, the library has told the log.
  if (answer.status >= 500 && !isSignInCode(code)) return answerProblem(new Error("The auth library failed."), context);
  if (code === "UNAUTHORIZED" || code === "SESSION_REQUIRED")
    return answerProblem(fail("NOT_SIGNED_IN", "You are not signed in, or your session has ended. Sign in again."), context);
  if (code === "VALIDATION_ERROR") return answerProblem(fail("MALFORMED_BODY", "The body is not what this address takes."), context);
  const known: SignInErrorCode = isSignInCode(code) ? code : "AUTH_REFUSED";
  const { status, words } = SIGN_IN_ERRORS[known];
  const problem: Problem = {
    type: `${context.publicUrl}/docs/errors#${known}`,
    title: errorTitle(known),
    status,
    detail: words,
    code: known,
    requestId: context.requestId,
  };
  const headers = { "Content-Type": "application/problem+json", "Cache-Control": "no-store" };
  return {
    status,
    headers: known === "ACCOUNT_TEMPORARILY_LOCKED" ? { ...headers, "Retry-After": String(LOCKED_SECONDS) } : headers,
    body: JSON.stringify(problem),
  };
}

const isSignInCode = (code: string | null): code is SignInErrorCode => code !== null && Object.hasOwn(SIGN_IN_ERRORS, code);

function codeIn(body: string): string | null {
  try {
    const { code } = JSON.parse(body) as { code?: unknown };
    return typeof code === "string" ? code : null;
  } catch {
    return null;
  }
}
