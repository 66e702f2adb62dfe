import type { TermKind } from "@stet/contract";
import type { LivePost } from "#domain/post";
import type { LiveListQuery, ListPage } from "#ports/content-store";
import type { ReadContext } from "./read-route.ts";
import { findTerm } from "./find-term.ts";
import { NOTHING } from "./paging.ts";
import { named } from "./parameters.ts";

/** The query parameters that narrow a list of posts. */
export const TERM_FILTERS = { category: named("category"), tag: named("tag"), author: named("author") } as const;

export type TermFilters = { readonly [Kind in TermKind]?: string | undefined };

/** A page of live posts, narrowed by terms named by slug or id. A term that does not exist has no posts: the page is empty. */
export async function listLive(
  { content, website }: ReadContext,
  filters: TermFilters,
  query: Omit<LiveListQuery, "facets">,
): Promise<ListPage<LivePost>> {
  const wanted = (Object.keys(TERM_FILTERS) as TermKind[]).flatMap((kind) => {
    const slugOrId = filters[kind];
    return slugOrId === undefined ? [] : [{ kind, slugOrId }];
  });
  if (wanted.length === 0) return content.posts.listLive(website.id, query);
  const found = await Promise.all(wanted.map(({ kind, slugOrId }) => findTerm(content, website.id, kind, slugOrId)));
  const ids = found.flatMap((match) => (match ? [match.term.id] : []));
  if (ids.length < wanted.length) return NOTHING;
  const facets = await content.terms.facetGroups(website.id, ids);
  return content.posts.listLive(website.id, { ...query, facets });
}
