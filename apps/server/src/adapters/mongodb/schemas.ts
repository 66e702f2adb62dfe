import { z } from "zod";
import type { ActorRef } from "#domain/actor";
import { isHttpUrl } from "#domain/fields";
import { type IdKind, isId, type MediaId, type TermId, type UserId } from "#domain/ids";
import type { JsonObject } from "#domain/json";
import { isTimestamp, millis, type Timestamp } from "#domain/time";
import type { Context, Stored } from "./context.ts";

/** The pieces documents are made of. What comes out of the database passes through here or does not exist. */

/** Of so many characters at most, and without the one that PostgreSQL cannot keep. */
const textUpTo = (characters: number) =>
  z
    .string()
    .max(characters)
    .refine((value) => !value.includes("\0"), "must not contain NUL");

/*
 * Far above what the service writes, so that nothing it wrote can be refused; far below what would hurt it, whoever wrote it.
 */

/** Titles, names, slugs, addresses, descriptions. */
export const line = textUpTo(8_000);
/** Bodies, and plain text made of them. */
export const text = textUpTo(2_000_000);
export const html = textUpTo(14_000_000);
/** An address that people follow, also one from the root of a website: one that leads elsewhere than the web is left out. */
export const webAddress: z.ZodType<string | null> = optional(line.refine((value) => URL.parse(value) === null || isHttpUrl(value))).catch(
  null,
);
export const flag = z.boolean();
export const bytes = z.number().int().nonnegative().max(1e12);
/** Versions and counts: what both engines can keep. */
export const whole = z
  .number()
  .int()
  .nonnegative()
  .max(2 ** 32);
export const listOf = <Value>(entry: z.ZodType<Value>, most = 50_000): z.ZodType<Value[]> => z.array(entry).max(most);

/** BSON dates in, the domain's timestamps out; a year beyond 9999 has no place in either. */
export const moment = z.date().transform((date, check): Timestamp => {
  const iso = date.toISOString();
  if (isTimestamp(iso)) return iso;
  check.addIssue("is not a moment between the years 0 and 9999");
  return z.NEVER;
});

/** Absent and null are the same: some servers keep one, some the other. */
export function optional<Value>(value: z.ZodType<Value>): z.ZodType<Value | null> {
  return value.nullish().transform((found) => found ?? null);
}

export const idOf = <Id extends string>(...kinds: readonly IdKind[]): z.ZodType<Id> =>
  z.custom<Id>((value) => typeof value === "string" && kinds.some((kind) => isId(kind, value)));

export const termId = idOf<TermId>("category", "tag", "author");
export const mediaId = idOf<MediaId>("media");
export const userId = line as unknown as z.ZodType<UserId>;

export const actor: z.ZodType<ActorRef> = z.object({ type: z.enum(["user", "tool", "system"]), id: line, userId: optional(userId) });

/** Free JSON is kept as text: its keys may hold dots, dollars and `__proto__`, which not every server keeps as they are. */
export const jsonObject = (characters: number): z.ZodType<JsonObject> =>
  textUpTo(characters).transform((json, check): JsonObject => {
    const value = parseJson(json);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
    check.addIssue("is not the text of a JSON object");
    return z.NEVER;
  });

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}

export const dateOf = (moment: Timestamp): Date => new Date(millis(moment));
export const optionalDate = (moment: Timestamp | null): Date | undefined => (moment === null ? undefined : dateOf(moment));

/** The value, or null after telling that the document is bad. */
export function parsed<Value>(
  context: Context,
  collection: string,
  document: Stored,
  read: () => z.ZodSafeParseResult<Value> | null,
): Value | null {
  const result = read();
  if (result?.success) return result.data;
  const issue = result?.error?.issues[0];
  context.onBadDocument({
    collection,
    id: String(document._id),
    problem: issue ? `${issue.path.join(".")}: ${issue.message}` : "its _id is not one of this website",
  });
  return null;
}
