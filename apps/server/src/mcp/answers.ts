import type { ErrorCode } from "@stet/contract";
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { z } from "zod";
import { Failure, fail, invalid } from "#domain/failure";
import type { ToolAnswer } from "./tool.ts";

export function answered({ data, text }: ToolAnswer): CallToolResult {
  return { content: [{ type: "text", text }], structuredContent: data as Record<string, unknown> };
}

/** What to do next, where the sentence of the failure does not say it. */
const NEXT: Partial<Record<ErrorCode, string>> = {
  VALIDATION_FAILED: "Correct what is named and call the tool again.",
  NOT_FOUND: "Call get_context, or list what is there, and use an id from the answer.",
  INVALID_TRANSITION: "Read its current state, then choose another step.",
  INTERNAL: "Try again in a moment.",
};
const NEXT_ELSE = "Change the call, or tell the person you work for.";

/** A refusal reads `CODE: what happened. What to do next.` It is a result, not a fault of the protocol, so that the model reads it. */
export function refused(failure: Failure): CallToolResult {
  return { content: [{ type: "text", text: wordsOf(failure) }], isError: true };
}

export function wordsOf({ code, message, errors }: Failure): string {
  const faults = errors.map(({ field, message: fault }) => `${argumentOf(field)} ${fault}`);
  const what = sentence(errors.length > 0 ? faults.join("; ") : message);
  // One sentence says what happened; where there is a second, it is the operation's own advice.
  const isAdvised = errors.length === 0 && /[.:?!]\s+\S/.test(what) && !what.endsWith("access to it.");
  return `${code}: ${isAdvised ? what : `${what} ${NEXT[code] ?? NEXT_ELSE}`}`;
}

const sentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`);

/** What operations call otherwise than the tools do. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  websiteId: "website",
  postId: "post",
  mediaId: "id",
  termId: "id",
  revisionId: "revision",
  fromRevisionId: "from",
  toRevisionId: "to",
  categoryIds: "categories",
  tagIds: "tags",
  authorIds: "authors",
  coverMediaId: "coverImage",
  bytes: "base64",
  "profile.url": "url",
  "profile.avatarMediaId": "portrait",
};
const argumentOf = (field: string): string => ARGUMENTS[field] ?? field;

/** Whatever went wrong, as something a model may read. What is ours to mend is said in the log, not here. */
export function failureOf(error: unknown, requestId: string, isOutage: (error: unknown) => boolean): Failure {
  if (error instanceof Failure) return error;
  if (isOutage(error)) return fail("UNAVAILABLE", "The database does not answer. Nothing was lost; try again in a few seconds.");
  return fail("INTERNAL", `Something went wrong on our side. Try again; if it stays, report the request id ${requestId}.`);
}

/** The arguments as the tool wants them, or every fault by its name. */
export function parseArguments(schema: z.ZodObject, given: unknown): never {
  const parsed = schema.safeParse(given ?? {});
  if (parsed.success) return parsed.data as never;
  throw invalid(
    parsed.error.issues.map((issue) => {
      const field = issue.path.join(".") || "arguments";
      if (issue.code !== "unrecognized_keys") return { field, message: faultOf(issue) };
      const known = Object.keys(schema.shape).join(", ");
      return { field: issue.keys.join(", "), message: `is no argument of this tool, which takes: ${known}` };
    }),
  );
}

/** What the bounds of texts and lists count. */
const UNITS: Readonly<Record<string, string>> = { string: " characters", array: " entries" };

function faultOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type") {
    if (issue.message.endsWith("received undefined")) return "is missing";
    return `must be of the type ${issue.expected === "int" ? "whole number" : issue.expected}`;
  }
  if (issue.code === "invalid_value") return `must be one of ${issue.values.join(", ")}`;
  if (issue.code === "too_big") return `must be at most ${issue.maximum}${UNITS[issue.origin] ?? ""}`;
  if (issue.code === "too_small") return `must be at least ${issue.minimum}${UNITS[issue.origin] ?? ""}`;
  return issue.message;
}
