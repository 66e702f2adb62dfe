import type { TermId, WebsiteId } from "#domain/ids";
import type { Term } from "#domain/term";
import type { ContentStore } from "#ports/content-store";

/**
 * Every other slug under which each of these terms is found, as `findTerm` finds it: a site that is built from nothing has its redirects.
 * `groups` are the ids of each term and of those merged into it. Terms of one kind, none of them merged.
 */
export async function formerSlugsOf(
  content: ContentStore,
  websiteId: WebsiteId,
  terms: readonly Term[],
  groups: readonly (readonly TermId[])[],
): Promise<readonly (readonly string[])[]> {
  const known = new Map<TermId, Term>(terms.map((term) => [term.id, term]));
  const merged = groups.flat().filter((id) => !known.has(id));
  if (merged.length > 0) for (const term of await content.terms.getMany(websiteId, merged)) known.set(term.id, term);

  const claimed = groups.map((ids, position) =>
    ids
      .flatMap((id) => slugsOf(known.get(id)).map((slug) => ({ slug, id })))
      .filter(({ slug }) => slug !== terms[position]!.slug)
      .toSorted((a, b) => (a.slug < b.slug ? -1 : 1)),
  );
  const slugs = claimed.flat().map(({ slug }) => slug);
  if (slugs.length === 0) return claimed.map(() => []);
  const owners = await content.claims.owners(websiteId, terms[0]!.kind, slugs);
  return claimed.map((each) => each.filter(({ slug, id }) => owners.get(slug) === id).map(({ slug }) => slug));
}

const slugsOf = (term: Term | undefined): readonly string[] => (term ? [term.slug, ...term.pastSlugs] : []);
