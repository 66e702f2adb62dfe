import { z } from "zod";
import { normaliseEmail } from "#domain/email";
import { passwordProblem } from "#domain/password";
import { isHttpUrl } from "#domain/fields";
import { isTimestamp, type Timestamp } from "#domain/time";

/**
 * NUL has no place in PostgreSQL and a lone surrogate no UTF-8 form; other control characters, and those that turn the
 * direction of writing around, only hide what a name says.
 */
const HIDDEN = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;
const HIDDEN_BUT_LINES = /[^\P{Cc}\n\r\t]/u;

const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

const storable = (hidden: RegExp) => (value: string) => value.isWellFormed() && !hidden.test(value);
/** Of characters, which may be two units each. What is far too long is not taken apart to be counted. */
export const atMost = (max: number) => (value: string) => value.length <= max * 2 && [...value].length <= max;

/** A name: one line, 1 to `max` characters once trimmed. */
export const nameOf = (max = 120) =>
  z
    .string()
    .trim()
    .refine(storable(HIDDEN), "must be one line without control characters")
    .refine((value) => VISIBLE.test(value), "must not be empty")
    .refine(atMost(max), `must be at most ${max} characters`);

/** One line that may be empty. */
export const lineOf = (max: number) =>
  z
    .string()
    .trim()
    .refine(storable(HIDDEN), "must be one line without control characters")
    .refine(atMost(max), `must be at most ${max} characters`);

/** Several lines that may be empty. */
export const textOf = (max: number) =>
  z
    .string()
    .refine(storable(HIDDEN_BUT_LINES), "must be plain text without control characters")
    .refine(atMost(max), `must be at most ${max} characters`);

/** An address people follow. Credentials in it would be shown to every reader. */
export const httpUrl = z
  .string()
  .trim()
  .max(2_048, "must be at most 2048 characters")
  .refine(storable(HIDDEN), "must be one line without control characters")
  .refine(isHttpUrl, "must be an http or https address")
  .refine((value) => {
    const url = URL.parse(value);
    return !url?.username && !url?.password;
  }, "must not contain a user name or password");

/** The version the caller saw: a change that somebody else made meanwhile is not overwritten. */
export const expectedVersion = z.int().positive();

export const moment = z.custom<Timestamp>((value) => typeof value === "string" && isTimestamp(value), {
  error: "must look like 2026-11-15T09:30:00.000Z",
});

/** Part of a name, to narrow a list by. */
export const nameContains = lineOf(200).optional();

/** In the form in which addresses are kept and compared. */
export const emailAddress = z.string().transform((value, context) => {
  const email = normaliseEmail(value);
  if (email !== null) return email;
  context.addIssue({ code: "custom", message: "must be an email address" });
  return z.NEVER;
});

/** One that somebody chooses, with what is wrong with it. */
export const newPassword = z.string().superRefine((value, context) => {
  const problem = passwordProblem(value);
  if (problem) context.addIssue({ code: "custom", message: problem });
});
