import type { Input } from "../../api/wire.ts";

export const SORTS = {
  name: "Name, A to Z",
  "-postCount": "Most posts",
  "-createdAt": "Newest",
} as const satisfies Record<NonNullable<Input<"list_terms">["sort"]>, string>;
export type TermSort = keyof typeof SORTS;

/** What a page of terms shows, as its address says it; what is left out is as usual. */
export interface TermsSearch {
  q?: string;
  sort?: TermSort;
}

/** Whatever somebody typed into the address bar: what makes no sense is left out. */
export function readTermsSearch({ q, sort }: Record<string, unknown>): TermsSearch {
  return {
    // A tag such as 2026 arrives as a number.
    ...((typeof q === "string" || typeof q === "number") && String(q).trim() !== "" && { q: String(q).slice(0, 120) }),
    ...(typeof sort === "string" && Object.hasOwn(SORTS, sort) && sort !== "name" && { sort: sort as TermSort }),
  };
}
