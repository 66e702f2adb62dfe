import type { FacetFilter } from "#ports/content-store";
import { type Fragment, sql } from "./sql.ts";

export interface GroupCount {
  /** The group's place in the list, from 0. */
  readonly group_number: number;
  readonly count: number;
}

/** Every facet of every group beside the number of its group, as a table to join. */
export function wantedFacets(groups: FacetFilter): Fragment {
  const numbers = groups.flatMap((group, number) => group.map(() => number));
  return sql`unnest(${numbers}::integer[], ${groups.flat()}::text[]) AS wanted (group_number, wanted_facet)`;
}

/** One number per group; a group that no post shows has no row. */
export function countsOf(groups: FacetFilter, rows: readonly GroupCount[]): readonly number[] {
  const counts = new Map(rows.map((row) => [row.group_number, row.count]));
  return groups.map((_, number) => counts.get(number) ?? 0);
}
