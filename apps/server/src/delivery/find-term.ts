import type { TermKind } from "@stet/contract";
import { isId, type TermId, type WebsiteId } from "#domain/ids";
import { isSlug } from "#domain/slug";
import type { Term } from "#domain/term";
import type { ContentStore } from "#ports/content-store";

export interface FoundTerm {
  /** Never a merged one: those lead to their target. */
  readonly term: Term;
  /** Set when it was named by a slug that is not its own any more. */
  readonly slugRedirectedFrom?: string;
}

/** The term that a slug or an id means now: its own slug, one it had before, or those of a term merged into it. */
export async function findTerm(content: ContentStore, websiteId: WebsiteId, kind: TermKind, slugOrId: string): Promise<FoundTerm | null> {
  if (isId(kind, slugOrId)) {
    const term = await unmerged(content, websiteId, await content.terms.get(websiteId, slugOrId));
    return term?.kind === kind ? { term } : null;
  }
  if (!isSlug(slugOrId)) return null;
  const owner = (await content.claims.owners(websiteId, kind, [slugOrId])).get(slugOrId);
  const named = owner === undefined ? null : await content.terms.get(websiteId, owner as TermId);
  const term = await unmerged(content, websiteId, named);
  if (!named || !term || term.kind !== kind) return null;
  if (term.slug === slugOrId) return { term };
  // A claim alone proves nothing: it may belong to a rename that was not saved.
  return named.slug === slugOrId || named.pastSlugs.includes(slugOrId) ? { term, slugRedirectedFrom: slugOrId } : null;
}

async function unmerged(content: ContentStore, websiteId: WebsiteId, term: Term | null): Promise<Term | null> {
  return term?.mergedInto ? content.terms.get(websiteId, term.mergedInto) : term;
}
