import type { PublicAuthor, PublicCategory, PublicTag, TermKind } from "@stet/contract";
import type { TermId } from "#domain/ids";
import type { Term } from "#domain/term";
import type { ContentStore } from "#ports/content-store";
import type { Images } from "./media.ts";
import type { ContentSource } from "./content-source.ts";

/** The current terms of a page of posts: a merged term leads to its target, a deleted one to nothing. */
export interface Terms {
  /** Those of a kind that these ids mean, in their order, each once. */
  of(kind: TermKind, ids: readonly TermId[]): readonly Term[];
}

/** One look-up for all ids, and a second only for targets of merged ones that were not among them. */
export async function loadTerms({ content, websiteId }: ContentSource, ids: Iterable<TermId>): Promise<Terms> {
  const known = new Map<string, Term>();
  await addTo(known, content, websiteId, [...new Set(ids)]);
  const targets = [...known.values()].flatMap(({ mergedInto }) => (mergedInto && !known.has(mergedInto) ? [mergedInto] : []));
  await addTo(known, content, websiteId, [...new Set(targets)]);

  const meant = (id: string): Term | undefined => {
    const term = known.get(id);
    return term?.mergedInto ? known.get(term.mergedInto) : term;
  };
  return {
    of: (kind, wanted) => [...new Set(wanted.map(meant))].filter((term): term is Term => term?.kind === kind && term.mergedInto === null),
  };
}

async function addTo(
  known: Map<string, Term>,
  content: ContentStore,
  websiteId: ContentSource["websiteId"],
  ids: readonly TermId[],
): Promise<void> {
  if (ids.length === 0) return;
  for (const term of await content.terms.getMany(websiteId, ids)) known.set(term.id, term);
}

/** A category or a tag: both show the same. */
export const presentTerm = ({ id, slug, name, description }: Term): PublicCategory & PublicTag => ({ id, slug, name, description });

export const presentAuthor = (term: Term, images: Images): PublicAuthor => ({
  ...presentTerm(term),
  url: term.profile?.url ?? null,
  avatar: images.get(term.profile?.avatarMediaId ?? null),
});
