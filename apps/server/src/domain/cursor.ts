import { fail } from "#domain/failure";
import { isTimestamp } from "#domain/time";

const VERSION = 1;
/** A cursor of ours stays far below: a folded title has 200 bytes at most. */
const LONGEST = 4_096;
/** Sorts by a moment are named so: `at`, `-at`, `publishedAt`, `-editedAt`. */
const BY_TIME = /^-?(?:at|\w*At)$/;
const NUL = "\u0000";

/** Where a page goes on: the sort value of the last row seen, and its id to break ties. */
export interface Position {
  readonly key: string;
  readonly id: string;
}

export function encodeCursor(sort: string, after: Position): string {
  return Buffer.from(JSON.stringify({ v: VERSION, s: sort, k: after.key, id: after.id })).toString("base64url");
}

/** The position a cursor holds. Whatever was sent, the answer is a position or one of two refusals, never a fault of ours. */
export function decodeCursor(cursor: string, sort: string): Position {
  const content = contentOf(cursor);
  const { v, s, k, id } = content;
  if (typeof v !== "number" || !Number.isSafeInteger(v) || v < 1) throw altered();
  if (v > VERSION) {
    // Read as ours it would skip rows silently.
    throw fail("UNSUPPORTED_CURSOR_VERSION", "This cursor comes from a newer API version. Start again without a cursor.", {
      version: v,
      supported: VERSION,
    });
  }
  if (typeof s !== "string" || !isText(k) || !isText(id)) throw altered();
  if (s !== sort) {
    throw fail("INVALID_CURSOR", "This cursor belongs to another sort. Keep the sort while paging, or start again without a cursor.", {
      sort,
    });
  }
  if (BY_TIME.test(sort) && !isTimestamp(k)) throw altered();
  return { key: k, id };
}

function contentOf(cursor: string): Record<string, unknown> {
  if (cursor.length > LONGEST || !/^[\w-]+$/.test(cursor)) throw altered();
  const bytes = Buffer.from(cursor, "base64url");
  // Decoding forgives what a cut or a typing error leaves at the end; a cursor comes back exactly as it was given.
  if (bytes.toString("base64url") !== cursor) throw altered();
  try {
    const content: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (typeof content === "object" && content !== null && !Array.isArray(content)) return content as Record<string, unknown>;
  } catch {
    // Not ours: refused below like everything else that is not.
  }
  throw altered();
}

/** Text that every engine can compare: PostgreSQL takes neither NUL nor a lone surrogate. */
const isText = (value: unknown): value is string => typeof value === "string" && value.isWellFormed() && !value.includes(NUL);

const altered = () =>
  fail("INVALID_CURSOR", "This cursor was altered or cut. Pass it back exactly as received, or start again without one.");
