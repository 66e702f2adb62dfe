import type { Input } from "../../api/wire.ts";

export const SORTS = {
  name: "Name, A to Z",
  "-postCount": "Most posts",
  "-createdAt": "Newest",
} as const satisfies Record<NonNullable<Input<"list_terms">["sort"]>, string>;
export type TermSort = keyof typeof SORTS;

/** The filters of a page of terms, as they are in its address. A missing key has its default. */
export interface TermsSearch {
  q?: string;
  sort?: TermSort;
}

/** Reads the address, which anyone can edit: values that are not valid are left out. */
export function readTermsSearch({ q, sort }: Record<string, unknown>): TermsSearch {
  return {
    // A tag such as 2026 arrives as a number.
    ...((typeof q === "string" || typeof q === "number") && String(q).trim() !== "" && { q: String(q).slice(0, 120) }),
    ...(typeof sort === "string" && Object.hasOwn(SORTS, sort) && sort !== "name" && { sort: sort as TermSort }),
  };
}
