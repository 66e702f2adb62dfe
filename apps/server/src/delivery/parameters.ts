import { DEFAULT_POST_SORT, LIMITS, POST_SORTS, type PostSort } from "@stet/contract";
import { fail } from "#domain/failure";
import type { Parameter } from "./read-route.ts";

/** A whole number from 1 to 100, in its plain form: `05`, `1e2` and ` 5` are refused like 101. Never clamped. */
export const limit: Parameter<number> = (raw) => {
  const value = /^[1-9]\d{0,2}$/.test(raw) ? Number(raw) : 0;
  if (value >= 1 && value <= LIMITS.pageSizeMax) return value;
  throw fail("INVALID_LIMIT", `limit must be a whole number from 1 to ${LIMITS.pageSizeMax}. Leave it out for ${LIMITS.pageSizeDefault}.`, {
    min: 1,
    max: LIMITS.pageSizeMax,
  });
};

/** Read when the sort is known: a cursor belongs to one. */
export const cursor: Parameter<string> = (raw) => raw;

/** One of a closed list of sort values. */
export function sortOf<Sort extends string>(allowed: readonly Sort[]): Parameter<Sort> {
  return (raw) => {
    const found = allowed.find((sort) => sort === raw);
    if (found !== undefined) return found;
    throw fail("UNSUPPORTED_SORT", `sort must be ${oneOf(allowed)}.`, { allowed });
  };
}

export const postSort: Parameter<PostSort> = sortOf(POST_SORTS);
export { DEFAULT_POST_SORT };

export function choiceOf<Choice extends string>(name: string, allowed: readonly Choice[]): Parameter<Choice> {
  return (raw) => {
    const found = allowed.find((choice) => choice === raw);
    if (found !== undefined) return found;
    throw fail("INVALID_PARAMETER", `${name} must be ${oneOf(allowed)}.`, { parameter: name, allowed });
  };
}

const truth = choiceOf("featured", ["true", "false"]);
export const featured: Parameter<boolean> = (raw) => truth(raw) === "true";

/** A slug or an id. One that names nothing is no error: the list is then empty. */
export const named =
  (name: string): Parameter<string> =>
  (raw) => {
    if (raw !== "") return raw;
    throw fail("INVALID_PARAMETER", `${name} must be a slug or an id. Leave it out to list all.`, { parameter: name });
  };

const oneOf = (allowed: readonly string[]): string =>
  allowed.length === 1 ? allowed[0]! : `${allowed.slice(0, -1).join(", ")} or ${allowed.at(-1)}`;
