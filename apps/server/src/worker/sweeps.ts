import { systemActor } from "#domain/actor";
import type { WebsiteId } from "#domain/ids";
import { RENDERER_VERSION } from "#domain/markdown/render";
import { dayOf, FORGET_MILLIS, VISIT_MILLIS } from "#domain/reader-rules";
import { thinned } from "#domain/thinning";
import { DAY, HOUR, timestamp } from "#domain/time";
import { slugsOf } from "#domain/post-life";
import { execute } from "#operations/kernel/execute";
import type { Services } from "#operations/kernel/services";
import { purgePost } from "#operations/posts/purge-post";
import { settlePost } from "#operations/posts/settle-post";
import type { ContentStore } from "#ports/content-store";

const BATCH = 100;
const TRASH_DAYS = 30;
const RETENTION = systemActor("retention sweep");
const ago = (services: Services, milliseconds: number) => timestamp(services.clock().getTime() - milliseconds);

/** A sweep over one store; answers how many records it touched, so that it is called again until nothing is left. */
export type Sweep = (services: Services, content: ContentStore) => Promise<number>;

/** Finishes what a crash left between a save and what must follow it. */
export const settlePending: Sweep = async (services, content) => {
  const posts = await content.posts.listPending(BATCH);
  let settled = 0;
  for (const post of posts) {
    try {
      await settlePost(services, content, post);
      settled += 1;
    } catch (error) {
      // One that cannot be settled must not keep the others' events from being told.
      services.onTrouble(`The post ${post.id} could not be settled; it is tried again`, error);
    }
  }
  return settled;
};

/** The trash is emptied after 30 days. */
export const purgeTrash: Sweep = async (services, content) => {
  let purged = 0;
  for (const { websiteId, id } of await content.posts.listDeletedBefore(ago(services, TRASH_DAYS * DAY), BATCH)) {
    const post = await content.posts.get(websiteId, id);
    if (post?.status !== "deleted") continue;
    const website = await services.platform.websites.get(websiteId);
    // A website that is being deleted has no operations any more; its posts go all the same.
    if (website) await execute(services, purgePost, RETENTION, { websiteId, postId: id, expectedVersion: post.version });
    else await content.posts.purge(websiteId, id, post.version);
    purged += 1;
  }
  return purged;
};

/** Images in the trash go after 30 days, the bytes before the record: a crash in between is repeated, not forgotten. */
export const purgeMedia: Sweep = async (services, content) => {
  const trashed = await content.media.listDeletedBefore(ago(services, TRASH_DAYS * DAY), BATCH);
  for (const media of trashed) {
    await services.mediaFiles.delete(media.storageKey);
    await content.media.delete(media.websiteId, media.id, media.version);
  }
  return trashed.length;
};

/** Old autosaves are thinned to one an hour; what was live stays for ever. */
export const thinRevisions: Sweep = async (services, content) => {
  const before = ago(services, 7 * DAY);
  let after: Parameters<ContentStore["revisions"]["listThinnable"]>[1] = null;
  let removed = 0;
  for (;;) {
    const heads = await content.revisions.listThinnable(before, after, BATCH);
    for (const { websiteId, postId, ids } of thinned(heads)) {
      await content.revisions.delete(websiteId, postId, ids);
      removed += ids.length;
    }
    const last = heads.at(-1);
    if (!last || heads.length < BATCH) return removed;
    after = { websiteId: last.websiteId, postId: last.postId, id: last.id };
  }
};

/** Frees slugs that a crash or a lost race left claimed by a post or term that does not have them. */
export const freeClaims: Sweep = async (services, content) => {
  const before = ago(services, HOUR);
  let after: Parameters<ContentStore["claims"]["listClaimedBefore"]>[1] = null;
  let freed = 0;
  for (;;) {
    const claims = await content.claims.listClaimedBefore(before, after, BATCH);
    for (const claim of claims) {
      if (await isNeeded(content, claim)) continue;
      await content.claims.release(claim.websiteId, claim.space, claim.slug, claim.ownerId, before);
      freed += 1;
    }
    const last = claims.at(-1);
    if (!last || claims.length < BATCH) return freed;
    after = last;
  }
};

async function isNeeded(
  content: ContentStore,
  claim: { websiteId: WebsiteId; space: string; slug: string; ownerId: string },
): Promise<boolean> {
  if (claim.space === "post") {
    const post = await content.posts.get(claim.websiteId, claim.ownerId as Parameters<ContentStore["posts"]["get"]>[1]);
    return post !== null && slugsOf(post).has(claim.slug);
  }
  const term = await content.terms.get(claim.websiteId, claim.ownerId as Parameters<ContentStore["terms"]["get"]>[1]);
  return term !== null && (term.slug === claim.slug || term.pastSlugs.includes(claim.slug));
}

/** After the renderer's version rose: old posts are rendered anew, without any post changing. */
export const renderAnew: Sweep = async (services, content) => {
  let rendered = 0;
  for (const ref of await content.posts.listRenderedBefore(RENDERER_VERSION, BATCH)) {
    const post = await content.posts.get(ref.websiteId, ref.id);
    if (!post?.live) continue;
    const rendering = await services.render(post.live.content.body);
    if ((await content.posts.saveRendering(ref, post.version, rendering)) === "saved") rendered += 1;
  }
  return rendered;
};

/** Who read what is forgotten as soon as it can no longer decide whether a visitor is new, and with the day its salt. */
export async function forgetVisitors(services: Services): Promise<number> {
  const day = dayOf(services.clock().getTime() - VISIT_MILLIS);
  return services.readers.forget(day, ago(services, FORGET_MILLIS), 10_000);
}

/** After a website changed its language: its posts are found by the stems of the new one. */
export const reindexSearch: Sweep = (_, content) => content.search.reindex(BATCH);

const EVENT_DAYS = 90;

/** What happened is told for 90 days. */
export const forgetEvents = (services: Services): Promise<number> =>
  services.platform.events.forgetBefore(ago(services, EVENT_DAYS * DAY), 1_000);

/** Websites and workspaces are erased 30 days after their owner deleted them. */
export async function eraseDeleted(services: Services): Promise<number> {
  const before = ago(services, TRASH_DAYS * DAY);
  let erased = 0;
  for (const id of await services.platform.websites.listDeletedBefore(before, BATCH)) {
    const content = services.contentOf({ id });
    while (!(await content.eraseWebsite(id, 1_000)));
    await services.platform.websites.erase(id);
    erased += 1;
  }
  for (const id of await services.platform.workspaces.listDeletedBefore(before, BATCH)) {
    await services.platform.workspaces.erase(id);
    erased += 1;
  }
  return erased;
}
