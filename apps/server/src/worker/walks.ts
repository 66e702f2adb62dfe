import type { WebsiteId } from "#domain/ids";
import { revisionsToThin } from "#domain/revisions-to-thin";
import { DAY, HOUR, timestamp } from "#domain/time";
import type { Services } from "#operations/kernel/services";
import type { ContentStore } from "#ports/content-store";
import { ago, eachSafely, onOneNode } from "./sweeps.ts";

const BATCH = 200;

/**
 * One step of a walk through all records of a store, for what no index can find. Answers where the next step goes on, or null at the end.
 * However many records there are, a step is a moment's work, and steps are taken slowly (run-workers.ts).
 */
export type Walk<Position> = (
  services: Services,
  content: ContentStore,
  after?: Position | null,
  /** The website whose own store it is. */
  of?: WebsiteId | null,
) => Promise<Position | null>;

type RevisionPosition = NonNullable<Parameters<ContentStore["revisions"]["listThinnable"]>[1]>;
type ClaimPosition = NonNullable<Parameters<ContentStore["claims"]["listDoubtful"]>[1]>;

/** Old autosaves are thinned to one an hour; what was live stays for ever. Only whole hours are looked at, so that each is thinned once. */
export const thinRevisions: Walk<RevisionPosition> = async (services, content, after = null, of = null) => {
  const step = await onOneNode(services, "thin revisions", of, async () => {
    const before = timestamp(Math.floor((services.clock().getTime() - 7 * DAY) / HOUR) * HOUR);
    const heads = await content.revisions.listThinnable(before, after, BATCH);
    const groups = revisionsToThin(heads).map((group) => ({ ...group, id: group.postId }));
    await eachSafely(services, groups, "thinned", ({ websiteId, postId, ids }) => content.revisions.delete(websiteId, postId, ids));
    const thinned = new Set(groups.flatMap(({ ids }) => ids));
    const kept = heads.filter(({ id }) => !thinned.has(id));
    if (kept.length > 0) await content.revisions.keep(kept);
    return { next: lastOf(heads) };
  });
  return step?.next ?? null;
};

/** Frees slugs that a crash or a lost race left claimed by a post or term that does not have them. */
export const freeClaims: Walk<ClaimPosition> = async (services, content, after = null, of = null) => {
  const step = await onOneNode(services, "free slug claims", of, async () => {
    const before = ago(services, HOUR);
    const claims = await content.claims.listDoubtful(before, after, BATCH);
    const needed = claims.filter(({ isNeeded }) => isNeeded);
    if (needed.length > 0) await content.claims.trust(needed);
    const inVain = claims.filter(({ isNeeded }) => !isNeeded).map((claim) => ({ ...claim, id: claim.slug }));
    await eachSafely(services, inVain, "freed", ({ websiteId, space, slug, ownerId }) =>
      content.claims.release(websiteId, space, slug, ownerId, before),
    );
    return { next: lastOf(claims) };
  });
  return step?.next ?? null;
};

/** A batch that is not full was the last. */
const lastOf = <Row>(rows: readonly Row[]): Row | null => (rows.length < BATCH ? null : (rows.at(-1) ?? null));
