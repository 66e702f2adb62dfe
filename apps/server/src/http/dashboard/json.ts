import type { ServerResponse } from "node:http";
import type { z } from "zod";
import { fail, invalid } from "#domain/failure";
import { readBody } from "../shared/read-body.ts";
import type { ApiCall } from "./api.ts";
import { isJson } from "../shared/same-origin.ts";

/** The body as a JSON object. */
export async function readJson(
  { request, response }: ApiCall,
  mostBytes: number,
  read: typeof readBody = readBody,
): Promise<Record<string, unknown>> {
  if (!isJson(request)) {
    response.shouldKeepAlive = false;
    throw fail("UNSUPPORTED_MEDIA_TYPE", "Send JSON, with Content-Type: application/json.");
  }
  const body = await read(request, response, mostBytes);
  let value: unknown;
  try {
    value = JSON.parse(body.toString("utf8"));
  } catch {
    throw fail("MALFORMED_BODY", "The body is not JSON.");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw fail("MALFORMED_BODY", "The body must be a JSON object.");
  return value as Record<string, unknown>;
}

/** Each fault by its field, as operations say it. */
export function parseInput<T>(schema: z.ZodType<T>, raw: unknown): T {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  throw invalid(parsed.error.issues.map((issue) => ({ field: issue.path.join(".") || "input", message: issue.message })));
}

export function sendData(response: ServerResponse, data: unknown): void {
  const body = Buffer.from(JSON.stringify({ data: data ?? null }));
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": body.length });
  response.end(response.req.method === "HEAD" ? undefined : body);
}
