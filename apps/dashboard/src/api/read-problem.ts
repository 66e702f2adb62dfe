import type { FieldError } from "@stet/contract";
import { ApiProblem } from "../lib/problem.ts";

/** The failure that an answer carries; anything but problem+json is a proxy's page or a broken connection. */
export async function readProblem(response: Response): Promise<ApiProblem> {
  const body = (await response.json().catch(() => null)) as {
    code?: ApiProblem["code"];
    detail?: string;
    title?: string;
    message?: string;
    errors?: FieldError[];
    facts?: Record<string, unknown>;
    requestId?: string;
  } | null;
  return new ApiProblem({
    status: response.status,
    code: body?.code ?? "UNREADABLE",
    detail: body?.detail ?? body?.message ?? body?.title ?? `The server responded with ${response.status}. Try again.`,
    ...(body?.errors && { errors: body.errors }),
    ...(body?.facts && { facts: body.facts }),
    requestId: body?.requestId ?? response.headers.get("X-Request-Id"),
  });
}
