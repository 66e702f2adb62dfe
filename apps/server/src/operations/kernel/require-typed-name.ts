import { z } from "zod";
import { invalid } from "#domain/failure";

/** An act that no click undoes asks for the typed name: nobody deletes the wrong thing in the wrong tab. */
export const typedName = z.string().max(500);

export function requireTypedName(typed: string, name: string): void {
  if (typed.trim() !== name) throw invalid([{ field: "confirmName", message: `must repeat the name exactly: ${name}` }]);
}
