import type { ErrorCode } from "@stet/contract";
import { capital } from "../../lib/format.ts";

/** A tool as people read it: `edit_post_body` is "Edit post body". */
export const toolWords = (name: string): string => capital(name.replaceAll("_", " "));

/** By the verb that its name begins with; a test of the tools holds them to it. */
export const isReading = (tool: string): boolean => /^(?:get|list|search|diff|preview)_/.test(tool);

const WRONG = "invalid call";
const OUR_FAULT = "server error";
const BEYOND_PLAN = "not in the plan";

/** The reason why a call failed, short enough for a line. */
const REFUSALS: Partial<Record<ErrorCode, string>> = {
  VALIDATION_FAILED: WRONG,
  INVALID_CURSOR: WRONG,
  UNSUPPORTED_CURSOR_VERSION: WRONG,
  NOT_FOUND: "not found",
  VERSION_CONFLICT: "changed by someone else",
  SLUG_TAKEN: "address is taken",
  INVALID_TRANSITION: "not possible in this status",
  GRANT_FORBIDS: "access does not allow it",
  INSUFFICIENT_ROLE: "role does not allow it",
  PLAN_REQUIRED: BEYOND_PLAN,
  PLAN_LIMIT: BEYOND_PLAN,
  RATE_LIMITED: "hourly limit reached",
  PAYLOAD_TOO_LARGE: "too large",
  UNSUPPORTED_MEDIA_TYPE: "not an image",
  INTERNAL: OUR_FAULT,
  UNAVAILABLE: OUR_FAULT,
  STORAGE_FULL: "the server’s disk is full",
  CONTENT_STORE_UNAVAILABLE: "your database did not respond",
};

/** A code that has no words yet stands for itself. */
export const refusalWords = (code: string): string => (REFUSALS as Record<string, string>)[code] ?? code;
