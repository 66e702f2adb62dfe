import { z } from "zod";
import { type ErrorCode, ERRORS } from "./errors.ts";
import type { SignInErrorCode } from "./sign-in-errors.ts";

const CODES = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

/** The body of every error answer (RFC 9457), as it is checked and described. */
export const problemSchema = z
  .strictObject({
    type: z.string().meta({ description: "A page about this error." }),
    title: z.string().meta({ description: "The code as words." }),
    status: z.int().min(400).max(599),
    detail: z.string().meta({ description: "What is wrong and what to do next, for people." }),
    code: z.enum(CODES).meta({ description: "What is wrong, for programs." }),
    requestId: z.string().meta({ description: "Include it when you report an error; it is also in the `X-Request-Id` header." }),
    errors: z
      .array(z.strictObject({ field: z.string(), message: z.string() }))
      .optional()
      .meta({ description: "Present when fields are invalid." }),
    facts: z.record(z.string(), z.json()).optional().meta({ description: "Values for programs; they depend on the code." }),
  })
  .meta({ id: "Problem" });

/** `SLUG_TAKEN` → "Slug taken". */
export function errorTitle(code: ErrorCode | SignInErrorCode): string {
  const words = code.toLowerCase().replaceAll("_", " ").replace("api", "API");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
