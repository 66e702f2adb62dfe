import type { ErrorCode } from "@stet/contract";
import { capital } from "../../lib/format.ts";

/** A tool as people read it: `edit_post_body` is "Edit post body". */
export const toolWords = (name: string): string => capital(name.replaceAll("_", " "));

/** By the verb that its name begins with; a test of the tools holds them to it. */
export const isReading = (tool: string): boolean => /^(?:get|list|search|diff|preview)_/.test(tool);

const WRONG = "mistake in the call";
const OUR_FAULT = "our fault";
const BEYOND_PLAN = "not in the plan";

/** Why a call came to nothing, in as many words as fit on a line. */
const REFUSALS: Partial<Record<ErrorCode, string>> = {
  VALIDATION_FAILED: WRONG,
  INVALID_CURSOR: WRONG,
  UNSUPPORTED_CURSOR_VERSION: WRONG,
  NOT_FOUND: "not found",
  VERSION_CONFLICT: "changed by someone meanwhile",
  SLUG_TAKEN: "address is taken",
  INVALID_TRANSITION: "not possible in this state",
  GRANT_FORBIDS: "access does not allow it",
  INSUFFICIENT_ROLE: "role does not allow it",
  PLAN_REQUIRED: BEYOND_PLAN,
  PLAN_LIMIT: BEYOND_PLAN,
  RATE_LIMITED: "publish budget is spent",
  PAYLOAD_TOO_LARGE: "too large",
  UNSUPPORTED_MEDIA_TYPE: "not an image",
  INTERNAL: OUR_FAULT,
  UNAVAILABLE: OUR_FAULT,
  STORAGE_FULL: "disk of the server is full",
  CONTENT_STORE_UNAVAILABLE: "own database did not answer",
};

/** A code that has no words yet stands for itself. */
export const refusalWords = (code: string): string => (REFUSALS as Record<string, string>)[code] ?? code;
