import type { TermKind } from "@stet/contract";
import type { LivePost } from "#domain/post";
import type { LiveListQuery } from "#ports/live-posts";
import type { ListPage } from "#ports/list-page";
import type { ReadContext } from "./read-route.ts";
import { findTerm } from "./find-term.ts";
import { NOTHING } from "./paging.ts";
import { named } from "./parameters.ts";
import { sourceOf } from "./source-of.ts";

/** The query parameters that narrow a list of posts. */
export const TERM_FILTERS = { category: named("category"), tag: named("tag"), author: named("author") } as const;

export type TermFilters = { readonly [Kind in TermKind]?: string | undefined };

/** A page of live posts, narrowed by terms named by slug or id. A term that does not exist has no posts: the page is empty. */
export async function listLive(context: ReadContext, filters: TermFilters, query: LiveListQuery): Promise<ListPage<LivePost>> {
  const narrowed = await narrow(context, filters, query);
  return narrowed ? context.content.posts.listLive(context.website.id, narrowed) : NOTHING;
}

/** The same as JSON. Where posts of this content were presented before, only their order and the missing ones are asked for. */
export async function listReady(context: ReadContext, filters: TermFilters, query: LiveListQuery): Promise<ListPage<Buffer>> {
  const { readyPosts, website } = context;
  const { posts } = context.content;
  if (!readyPosts.hasSome()) {
    const { rows, next } = await listLive(context, filters, query);
    return { rows: await readyPosts.present(sourceOf(context), rows), next };
  }
  const narrowed = await narrow(context, filters, query);
  if (!narrowed) return NOTHING;
  const page = await posts.listLiveIds(website.id, narrowed);
  const ready = new Map(page.rows.map((id) => [id, readyPosts.get(id)]));
  const missing = page.rows.filter((id) => !ready.get(id));
  if (missing.length > 0) {
    const found = await posts.getManyLive(website.id, missing);
    for (const [index, bytes] of (await readyPosts.present(sourceOf(context), found)).entries()) ready.set(found[index]!.id, bytes);
  }
  // One that was unpublished in between is not there.
  return { rows: page.rows.flatMap((id) => ready.get(id) ?? []), next: page.next };
}

async function narrow({ content, website }: ReadContext, filters: TermFilters, query: LiveListQuery): Promise<LiveListQuery | null> {
  const wanted = (Object.keys(TERM_FILTERS) as TermKind[]).flatMap((kind) => {
    const slugOrId = filters[kind];
    return slugOrId === undefined ? [] : [{ kind, slugOrId }];
  });
  if (wanted.length === 0) return query;
  const found = await Promise.all(wanted.map(({ kind, slugOrId }) => findTerm(content, website.id, kind, slugOrId)));
  const ids = found.flatMap((match) => (match ? [match.term.id] : []));
  if (ids.length < wanted.length) return null;
  return { ...query, facets: await content.terms.facetGroups(website.id, ids) };
}
