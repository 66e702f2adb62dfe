import type { TermKind } from "@stet/contract";
import { useQueries } from "@tanstack/react-query";
import { opOptions } from "../../api/hooks.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";

const PREFIXES = [
  ["cat_", "category"],
  ["tag_", "tag"],
  ["author_", "author"],
] as const satisfies readonly (readonly [string, TermKind])[];
/** Most websites have fewer; the names of others are asked for one by one as they are shown. */
const FIRST = 100;

/** Names of the categories, tags and authors with these ids, as far as they are known by now. */
export function useTermNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const { website } = useWebsiteContext();
  const websiteId = website.id;
  const kinds = PREFIXES.filter(([prefix]) => ids.some((id) => id.startsWith(prefix)));
  const first = useQueries({
    queries: kinds.map(([, kind]) => ({ ...opOptions("list_terms", { websiteId, kind, limit: FIRST }), staleTime: 60_000 })),
    combine: (results) => ({
      isReady: results.every(({ isSuccess }) => isSuccess),
      names: new Map(results.flatMap(({ data }) => data?.items ?? []).map(({ id, name }) => [id, name])),
    }),
  });
  const missing = first.isReady ? [...new Set(ids)].filter((id) => !first.names.has(id)) : [];
  const others = useQueries({
    queries: missing.map((termId) => ({ ...opOptions("get_term", { websiteId, termId }), staleTime: 60_000, retry: false })),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  });
  return new Map([...first.names, ...others.map(({ id, name }) => [id, name] as const)]);
}
