import { z } from "zod";
import { invalid } from "#domain/failure";

/** What cannot be undone by a click asks for the name, typed: the wrong tab does not delete the wrong thing. */
export const typedName = z.string().max(500);

export function requireTypedName(typed: string, name: string): void {
  if (typed.trim() !== name) throw invalid([{ field: "confirmName", message: `must repeat the name exactly: ${name}` }]);
}
