import type { PostId, TermId } from "#domain/ids";
import { slugsOf } from "#domain/post-life";
import { revisionsToThin } from "#domain/revisions-to-thin";
import { DAY, HOUR } from "#domain/time";
import type { Services } from "#operations/kernel/services";
import { slugsOfTerm } from "#operations/terms/helpers/term-view";
import type { ContentStore } from "#ports/content-store";
import { ago, eachSafely } from "./sweeps.ts";

const BATCH = 100;

/**
 * One step of a walk through all records of a store, for what no index can find. Answers where the next step goes on, or null at the end.
 * However many records there are, a step is a moment's work, and steps are taken slowly (run-workers.ts).
 */
export type Walk<Position> = (services: Services, content: ContentStore, after?: Position | null) => Promise<Position | null>;

type RevisionPosition = NonNullable<Parameters<ContentStore["revisions"]["listThinnable"]>[1]>;
type ClaimPosition = NonNullable<Parameters<ContentStore["claims"]["listClaimedBefore"]>[1]>;

/** Old autosaves are thinned to one an hour; what was live stays for ever. */
export const thinRevisions: Walk<RevisionPosition> = async (services, content, after = null) => {
  const heads = await content.revisions.listThinnable(ago(services, 7 * DAY), after, BATCH);
  const groups = revisionsToThin(heads).map((group) => ({ ...group, id: group.postId }));
  await eachSafely(services, groups, "thinned", ({ websiteId, postId, ids }) => content.revisions.delete(websiteId, postId, ids));
  return lastOf(heads);
};

/** Frees slugs that a crash or a lost race left claimed by a post or term that does not have them. */
export const freeClaims: Walk<ClaimPosition> = async (services, content, after = null) => {
  const before = ago(services, HOUR);
  const claims = await content.claims.listClaimedBefore(before, after, BATCH);
  await eachSafely(
    services,
    claims.map((claim) => ({ ...claim, id: claim.slug })),
    "freed",
    async (claim) => {
      if (await isNeeded(content, claim)) return;
      await content.claims.release(claim.websiteId, claim.space, claim.slug, claim.ownerId, before);
    },
  );
  return lastOf(claims);
};

async function isNeeded(content: ContentStore, { websiteId, space, slug, ownerId }: ClaimPosition & { ownerId: string }): Promise<boolean> {
  if (space === "post") {
    const post = await content.posts.get(websiteId, ownerId as PostId);
    return post !== null && slugsOf(post).has(slug);
  }
  const term = await content.terms.get(websiteId, ownerId as TermId);
  return term !== null && slugsOfTerm(term).includes(slug);
}

/** A batch that is not full was the last. */
const lastOf = <Row>(rows: readonly Row[]): Row | null => (rows.length < BATCH ? null : (rows.at(-1) ?? null));
