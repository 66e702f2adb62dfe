import { fail, notFound } from "#domain/failure";
import type { TermId } from "#domain/ids";
import type { Term } from "#domain/term";
import type { Activity, InWebsite, SuggestionHead } from "../../kernel/operation.ts";

export interface TermView extends Term {
  /** The change waits for a person: what is here is what was there before. */
  readonly suggestion?: SuggestionHead;
  /** Posts, not in the trash, that show it or one merged into it, in their working or live copy. */
  readonly postCount: number;
}

export async function withCounts({ content, website }: InWebsite, terms: readonly Term[]): Promise<readonly TermView[]> {
  const groups = await content.terms.facetGroups(
    website.id,
    terms.map((term) => term.id),
  );
  const counts = await content.posts.countByFacet(website.id, groups);
  return terms.map((term, position) => ({ ...term, postCount: counts[position]! }));
}

export async function withCount(context: InWebsite, term: Term): Promise<TermView> {
  const [view] = await withCounts(context, [term]);
  return view!;
}

export async function findTerm({ content, website }: InWebsite, id: TermId): Promise<Term> {
  const term = await content.terms.get(website.id, id);
  if (!term) throw notFound("category, tag or author");
  return term;
}

/** A merged term is only a name for another one; what is done to it is meant for that one. */
export function requireUnmerged(term: Term): Term {
  if (term.mergedInto === null) return term;
  throw fail("INVALID_TRANSITION", `"${term.name}" was merged into another ${term.kind}. Change that one instead.`, {
    mergedInto: term.mergedInto,
  });
}

/** Every slug that leads to it. */
export const slugsOfTerm = (term: Term): readonly string[] => [term.slug, ...term.pastSlugs];

export function aboutTerm(term: Term & Pick<TermView, "suggestion">, details: Activity["details"] = {}): Activity {
  const held = term.suggestion && { suggestion: term.suggestion.id };
  return { target: { id: term.id, label: term.name }, details: { kind: term.kind, ...held, ...details } };
}
