import type { TermKind } from "@stet/contract";
import { notFound } from "#domain/failure";
import type { Term } from "#domain/term";
import { type ReadContext, type ReadRoute, readRoute } from "./read-route.ts";
import { findTerm } from "./find-term.ts";
import { formerSlugsOf } from "./former-slugs.ts";
import { afterOf, collection, pageSize } from "./paging.ts";
import { cursor, limit, sortOf } from "./parameters.ts";
import { sourceOf } from "./source-of.ts";
import { loadImages } from "#present/media";
import { presentAuthor, presentTerm } from "#present/terms";

const sort = sortOf(["name"]);

/** The addresses of one kind of term: those that a published post shows, and one of them. */
export function termRoutes(kind: TermKind, plural: string): readonly ReadRoute[] {
  const list = readRoute({
    path: `/blog/${plural}`,
    query: { limit, cursor, sort },
    cached: true,
    async run(context, _params, query) {
      const paging = { kind, sort: "name" } as const;
      const size = pageSize(query.limit);
      const page = await context.content.terms.list(context.website.id, {
        kind,
        onlyLive: true,
        after: afterOf(paging, query.cursor),
        limit: size,
      });
      const listed = await presentTerms(context, page.rows);
      return { kind: "json", value: collection(listed, paging, page.next, size) };
    },
  });

  const one = readRoute({
    path: `/blog/${plural}/{slug}`,
    query: {},
    cached: true,
    async run(context, params: Readonly<Record<"slug", string>>) {
      const found = await findTerm(context.content, context.website.id, kind, params.slug);
      const [listed] = found ? await presentTerms(context, [found.term]) : [];
      if (!found || !listed) throw notFound(`${kind} with a published post`);
      const redirected = found.slugRedirectedFrom === undefined ? {} : { slugRedirectedFrom: found.slugRedirectedFrom };
      return { kind: "json", value: { data: { ...listed, ...redirected } } };
    },
  });

  return [list, one];
}

/** With how many published posts show each; those that none shows are left out. */
async function presentTerms(context: ReadContext, terms: readonly Term[]) {
  const { content, website } = context;
  const ids = terms.map((term) => term.id);
  const [groups, images] = await Promise.all([
    content.terms.facetGroups(website.id, ids),
    loadImages(
      sourceOf(context),
      terms.map((term) => term.profile?.avatarMediaId ?? null),
    ),
  ]);
  const [counts, formerSlugs] = await Promise.all([
    content.posts.countLiveByFacet(website.id, groups),
    formerSlugsOf(content, website.id, terms, groups),
  ]);
  return terms.flatMap((term, position) => {
    const postCount = counts[position]!;
    if (postCount === 0) return [];
    const shown = term.kind === "author" ? presentAuthor(term, images) : presentTerm(term);
    return [{ ...shown, postCount, formerSlugs: formerSlugs[position]! }];
  });
}
