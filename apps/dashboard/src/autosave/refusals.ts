import type { ApiProblem } from "../lib/problem.ts";
import { type ContentKey, keysOf, only, type Patch } from "./content.ts";

/** Fields that the server refused, with the reason. They are set aside, so that the others can be saved. */
export type Refusals = Readonly<Partial<Record<ContentKey, string>>>;

/** Whether the same save may succeed later: no connection, too many requests, or a failure of the server. */
export const isTemporary = ({ status }: ApiProblem): boolean => status === 0 || status === 429 || status >= 500;

/** The fields of the patch that the problem names. Empty: the problem is about something else. */
export function refusalsIn(problem: ApiProblem, patch: Patch): Refusals {
  const errors = problem.code === "SLUG_TAKEN" ? [{ field: "slug" in patch ? "slug" : "title", message: problem.message }] : problem.errors;
  const named = errors.map(({ field, message }) => [field.split(".")[0]!, `${field} ${message}`] as const).filter(([key]) => key in patch);
  return Object.fromEntries(named);
}

export const withoutRefused = (patch: Patch, refused: Refusals): Patch =>
  only(
    patch,
    keysOf(patch).filter((key) => !(key in refused)),
  );

/** The refusals of the fields that `keep` names. */
export const refusalsOf = (refused: Refusals, keep: (key: string) => boolean): Refusals =>
  Object.fromEntries(Object.entries(refused).filter(([key]) => keep(key)));
