import type { ErrorCode } from "@stet/contract";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import { Failure, fail, invalid } from "#domain/failure";
import { oneLine, quoted } from "./content.ts";
import type { ToolAnswer } from "./tool.ts";

export function answered({ data, text, image }: ToolAnswer): CallToolResult {
  return {
    content: [{ type: "text", text }, ...(image ? [{ type: "image" as const, ...image }] : [])],
    structuredContent: data as Record<string, unknown>,
  };
}

/** The next step, where the sentence of the failure does not say it. */
const NEXT: Partial<Record<ErrorCode, string>> = {
  VALIDATION_FAILED: "Fix this and call the tool again.",
  INVALID_TRANSITION: "Read its current status, then choose another step.",
  INTERNAL: "Try again in a moment.",
};
const NEXT_ELSE = "Change the call, or tell the person you work for.";

/** Where to look for what is not there, by the word the operations have for it. */
const LISTED_BY: Readonly<Record<string, string>> = {
  post: "list_posts or search_posts",
  revision: "list_revisions",
  image: "list_media",
  category: "list_categories, list_tags or list_authors",
};

/**
 * A refusal reads `CODE: what happened. What to do next.` It is a result, not a fault of the protocol, so that the model reads it.
 * How many seconds to wait, where that helps, is beside it: clients hold structured content against the schema of what was done.
 */
export function refused(failure: Failure, possible: readonly string[] = []): CallToolResult {
  const { retryAfter } = failure.facts;
  return {
    ...(typeof retryAfter === "number" && { _meta: { retryAfter } }),
    content: [{ type: "text", text: wordsOf(failure, possible) }],
    isError: true,
  };
}

/** `possible`: the tools that can take a next step, where the failure is that this one could not. */
export function wordsOf(failure: Failure, possible: readonly string[] = []): string {
  const { code, errors } = failure;
  const faults = errors.map(({ field, message: fault }) => `${argumentOf(field)}${/^\p{Lu}/u.test(fault) ? ":" : ""} ${fault}`);
  const what = sentence(oneLine(errors.length > 0 ? faults.join("; ") : messageOf(failure, possible)));
  // One sentence says what happened; where there is a second, it is the operation's own advice.
  const isAdvised = errors.length === 0 && /[.:?!]\s+\S/.test(what);
  return `${code}: ${isAdvised ? what : `${what} ${NEXT[code] ?? NEXT_ELSE}`}`;
}

/** The sentence of an operation, with the next step named as the tools name it. */
function messageOf({ code, message, facts }: Failure, possible: readonly string[]): string {
  if (code === "NOT_FOUND") {
    const [, what] = /^There is no such (\w+).* here\. It may/.exec(message) ?? [];
    return what === undefined ? message : `${message} Use an id from ${LISTED_BY[what] ?? "get_context"}.`;
  }
  if (code !== "INVALID_TRANSITION" || !Array.isArray(facts["possible"])) return message;
  if (possible.length === 0) return message.replace(/Possible now: [^.]+\./, "Nothing else is possible for this app now: tell the person.");
  return message.replace(/(?<=Possible now: )[^.]+/, possible.join(", "));
}

const sentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`);

/** Names that differ between operations and tools. */
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
// An argument may be called as something that every object has, such as `constructor`.
export const argumentOf = (field: string): string => (Object.hasOwn(ARGUMENTS, field) ? ARGUMENTS[field]! : field);

/** Any error in words that a model may read. An error of ours is described in the log, not here. */
export function failureOf(error: unknown, requestId: string, isOutage: (error: unknown) => boolean): Failure {
  if (error instanceof Failure) return error;
  if (isOutage(error)) return fail("UNAVAILABLE", "The database is not responding. Nothing was lost; try again in a few seconds.");
  return fail("INTERNAL", `Something went wrong on our side. Try again; if it happens again, report the request id ${requestId}.`);
}

/** The arguments as the tool wants them, or every fault by its name. */
export function parseArguments(schema: z.ZodObject, given: unknown): never {
  const parsed = schema.safeParse(given ?? {});
  if (parsed.success) return parsed.data as never;
  throw invalid(
    parsed.error.issues.map((issue) => {
      const field = issue.path.join(".") || "arguments";
      if (issue.code !== "unrecognized_keys") return { field, message: faultOf(issue) };
      const given = issue.keys.map((key) => [...issue.path, PLAIN.test(key) ? key : quoted(key)].join(".")).join(", ");
      const known = keysAt(schema, issue.path).join(", ");
      return {
        field: given,
        message: issue.path.length > 0 ? `is unknown; known: ${known}` : `is not an argument of this tool, which takes: ${known}`,
      };
    }),
  );
}

/** A name that can stand in a sentence as it is. */
const PLAIN = /^[\w-]{1,64}$/;

/** The known keys where an unknown one was given: in the arguments themselves, in an object of theirs, or in each entry of a list. */
function keysAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly string[] {
  const inner = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? schema.unwrap() : schema;
  const [next, ...rest] = path;
  if (inner instanceof z.ZodArray) return next === undefined ? [] : keysAt(inner.element, rest);
  if (!(inner instanceof z.ZodObject)) return [];
  const field = next === undefined ? undefined : (inner.shape as Record<PropertyKey, z.core.$ZodType>)[next];
  return field ? keysAt(field, rest) : Object.keys(inner.shape);
}

/** The unit in which the bounds of texts and lists count. */
const UNITS: Readonly<Record<string, string>> = { string: " characters", array: " entries" };

function faultOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type") {
    if (issue.message.endsWith("received undefined")) return "is missing";
    return `must be of type ${issue.expected === "int" ? "whole number" : issue.expected}`;
  }
  if (issue.code === "invalid_value") return `must be one of ${issue.values.join(", ")}`;
  if (issue.code === "too_big") return `must be at most ${issue.maximum}${UNITS[issue.origin] ?? ""}`;
  if (issue.code === "too_small") return `must be at least ${issue.minimum}${UNITS[issue.origin] ?? ""}`;
  return issue.message;
}
