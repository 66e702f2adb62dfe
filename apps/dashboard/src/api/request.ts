import { ApiProblem } from "../lib/problem.ts";
import { accountRefusal, openerHeaders } from "./opened-by.ts";
import { readProblem } from "./read-problem.ts";

type Init = RequestInit & { readonly headers?: Readonly<Record<string, string>> };

/** One call to the private API. Every failure is an `ApiProblem`. */
export async function request<T>(path: string, init: Init = {}): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, { credentials: "same-origin", ...init, headers: { ...openerHeaders(), ...init.headers } });
  } catch (error) {
    if (isGivenUp(init.signal)) throw error;
    throw new ApiProblem({
      status: 0,
      code: "OFFLINE",
      detail: "Cannot reach the server. Check your connection. Nothing you typed is lost.",
    });
  }
  if (!response.ok) {
    const problem = await readProblem(response);
    if (problem.code === "OTHER_ACCOUNT") accountRefusal.set(problem);
    throw problem;
  }
  // Who is signed in is told to anybody; everything else only to the account that opened the page.
  if (path.startsWith("/api/rpc/")) accountRefusal.set(null);
  try {
    return (await response.json()) as T;
  } catch (error) {
    if (isGivenUp(init.signal)) throw error;
    // Cut off half way, or the page of a network that wants one to sign in first. Whether the request was done nobody knows.
    throw new ApiProblem({
      status: 0,
      code: "UNREADABLE",
      detail: "The server did not respond. Check your connection and try again. Nothing you typed is lost.",
    });
  }
}

/** Whether the answer is not wanted any more. One that took too long still is: that is a failure like any other without an answer. */
const isGivenUp = (signal: AbortSignal | null | undefined): boolean =>
  signal?.aborted === true && (signal.reason as { name?: unknown } | undefined)?.name !== "TimeoutError";

export const postJson = <T>(path: string, body: unknown, init: Omit<Init, "headers"> = {}): Promise<T> =>
  request<T>(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), ...init });
