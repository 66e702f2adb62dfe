import type { SlugSpace } from "#ports/slug-claims";
import type { InWebsite } from "../../kernel/operation.ts";

interface Claims {
  /** Taken by this call: to be given up again if nothing comes of it. */
  readonly fresh: readonly string[];
  /** The first that belongs to another; then none was kept. */
  readonly taken: { readonly slug: string; readonly ownerId: string } | null;
}

/** All of the slugs, or none. */
export async function claimAll(context: InWebsite, space: SlugSpace, slugs: ReadonlySet<string>, ownerId: string): Promise<Claims> {
  const fresh: string[] = [];
  for (const slug of slugs) {
    const claim = await context.content.claims.claim(context.website.id, space, { slug, ownerId, claimedAt: context.now });
    if (claim.ownerId !== ownerId) {
      await releaseAll(context, space, fresh, ownerId);
      return { fresh: [], taken: { slug, ownerId: claim.ownerId } };
    }
    if (claim.fresh) fresh.push(slug);
  }
  return { fresh, taken: null };
}

export async function releaseAll(context: InWebsite, space: SlugSpace, slugs: readonly string[], ownerId: string): Promise<void> {
  for (const slug of slugs) await context.content.claims.release(context.website.id, space, slug, ownerId);
}
