import type { TermKind } from "@stet/contract";
import { fail } from "#domain/failure";
import type { TermId } from "#domain/ids";
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
  throw fail("SLUG_TAKEN", `Another ${kind} of this website has the slug "${slug}", or had it before. Choose another one.`, {
    slug,
    termId: claim.ownerId,
  });
}

/** The first slug made from the name that is free. */
export async function claimFromName({ content, website, now }: InWebsite, kind: TermKind, name: string, ownerId: TermId): Promise<string> {
  for (const slug of slugCandidates(slugFrom(name))) {
    const claim = await content.claims.claim(website.id, kind, { slug, ownerId, claimedAt: now });
    if (claim.ownerId === ownerId) return slug;
  }
  throw fail("SLUG_TAKEN", "No free slug was found for this name. Set one by hand.");
}
