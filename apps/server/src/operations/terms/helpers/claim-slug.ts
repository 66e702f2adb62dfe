import type { TermKind } from "@stet/contract";
import { type Failure, fail } from "#domain/failure";
import type { TermId } from "#domain/ids";
import type { Term } from "#domain/term";
import { slugCandidates, slugFrom } from "#domain/slug";
import type { InWebsite } from "../../kernel/operation.ts";

/**
 * The slug that someone chose, or the refusal that says who has it. Answers the merged term it was taken from, if any:
 * such a slug leads here already, so it may become this one's own.
 */
export async function claimGiven(context: InWebsite, kind: TermKind, slug: string, ownerId: TermId): Promise<TermId | null> {
  const { content, website, now } = context;
  const claim = await content.claims.claim(website.id, kind, { slug, ownerId, claimedAt: now });
  if (claim.ownerId === ownerId) return null;
  const holder = await content.terms.get(website.id, claim.ownerId as TermId);
  if (holder?.mergedInto === ownerId && (await content.claims.move(website.id, kind, slug, holder.id, ownerId))) return holder.id;
  throw taken(kind, slug, claim.ownerId);
}

const taken = (kind: TermKind, slug: string, termId: string): Failure =>
  fail("SLUG_TAKEN", `Another ${kind} of this website has the slug "${slug}", or had it before. Choose another one.`, { slug, termId });

/** For a change that is only suggested: the slug is not claimed before a person accepts it. */
export async function requireFreeSlug(
  { content, website }: InWebsite,
  { id, kind }: Pick<Term, "id" | "kind">,
  slug: string,
): Promise<void> {
  const owner = (await content.claims.owners(website.id, kind, [slug])).get(slug);
  if (owner === undefined || owner === id) return;
  if ((await content.terms.get(website.id, owner as TermId))?.mergedInto !== id) throw taken(kind, slug, owner);
}

/** The first slug made from the name that is free. */
export async function claimFromName({ content, website, now }: InWebsite, kind: TermKind, name: string, ownerId: TermId): Promise<string> {
  for (const slug of slugCandidates(slugFrom(name))) {
    const claim = await content.claims.claim(website.id, kind, { slug, ownerId, claimedAt: now });
    if (claim.ownerId === ownerId) return slug;
  }
  throw fail("SLUG_TAKEN", "No free slug was found for this name. Set one by hand.");
}
