import { systemActor } from "#domain/actor";
import type { WebsiteId } from "#domain/ids";
import { RENDERER_VERSION } from "#domain/markdown/render";
import { websitePrefix } from "#domain/media-file";
import { DAY, timestamp } from "#domain/time";
import { execute } from "#operations/kernel/execute";
import type { Services } from "#operations/kernel/services";
import { removeImage } from "#operations/media/helpers/remove-image";
import { purgePost } from "#operations/posts/purge-post";
import { settlePost } from "#operations/posts/helpers/settle-post";
import type { ContentStore } from "#ports/content-store";

const BATCH = 100;
const TRASH_DAYS = 30;
const RETENTION = systemActor("retention sweep");
export const ago = (services: Services, milliseconds: number) => timestamp(services.clock().getTime() - milliseconds);

/**
 * A sweep over one store, or over the store of the website `of`; answers how many records it touched, so that it is called again until
 * nothing is left.
 */
export type Sweep = (services: Services, content: ContentStore, of?: WebsiteId | null) => Promise<number>;

/** On one node at a time; null where another is at it. What asks somebody else's database holds neither a connection nor a row of ours. */
export const onOneNode = <T>({ platform }: Services, job: string, of: WebsiteId | null, work: () => Promise<T>): Promise<T | null> =>
  of === null ? platform.onOneNode(job, work) : platform.withLease(of, job, work);

/**
 * Each for itself: one that fails is told of and tried again with the next sweep, and keeps none of the others waiting, which are
 * other people's. `work` says false when there was nothing to do. Answers how many were done.
 */
export async function eachSafely<Item extends { readonly id: string }>(
  services: Services,
  items: readonly Item[],
  what: string,
  work: (item: Item) => Promise<unknown>,
): Promise<number> {
  let done = 0;
  for (const item of items) {
    try {
      if ((await work(item)) !== false) done += 1;
    } catch (error) {
      services.onTrouble(`${item.id} could not be ${what}; it is tried again`, error);
    }
  }
  return done;
}

/** Finishes what a crash left between a save and what must follow it. */
export const settlePending: Sweep = async (services, content) => {
  await content.posts.finishInterrupted(BATCH);
  return eachSafely(services, await content.posts.listPending(BATCH), "settled", (post) => settlePost(services, content, post));
};

/** The trash is emptied after 30 days. */
export const purgeTrash: Sweep = async (services, content) => {
  const trashed = await content.posts.listDeletedBefore(ago(services, TRASH_DAYS * DAY), BATCH);
  return eachSafely(services, trashed, "removed from the trash", async ({ websiteId, id }) => {
    const post = await content.posts.get(websiteId, id);
    if (post?.status !== "deleted") return false;
    const website = await services.platform.websites.get(websiteId);
    // A website that is being deleted has no operations any more; its posts go all the same.
    if (website) return execute(services, purgePost, RETENTION, { websiteId, postId: id, expectedVersion: post.version });
    return content.posts.purge(websiteId, id, post.version);
  });
};

/** Images in the trash go after 30 days. */
export const purgeMedia: Sweep = async (services, content) => {
  const trashed = await content.media.listDeletedBefore(ago(services, TRASH_DAYS * DAY), BATCH);
  return eachSafely(services, trashed, "removed from the trash", (media) => removeImage(services, content, media));
};

/** After the renderer's version rose: old posts are rendered anew, without any post changing. */
export const renderOutdated: Sweep = async (services, content) =>
  eachSafely(services, await content.posts.listRenderedBefore(RENDERER_VERSION, BATCH), "rendered again", async (ref) => {
    const post = await content.posts.get(ref.websiteId, ref.id);
    if (!post?.live) return false;
    const rendering = await services.render(post.live.content.body);
    return (await content.posts.saveRendering(ref, post.version, rendering)) === "saved";
  });

/** Posts that are indexed in one step: their website's writers wait for it. */
const INDEXED_AT_ONCE = 20;

/** After a website changed its language: its posts are found by the stems of the new one. */
export const reindexSearch: Sweep = (_, content) => content.search.reindex(INDEXED_AT_ONCE);

/** Posts that are counted in one step: their website's writers wait for it. */
const COUNTED_AT_ONCE = 200;

/** After the upgrade that brought the counts of terms: the posts from before are counted. One node does it. */
export const countOlderPosts: Sweep = async (services, content, of = null) =>
  (await onOneNode(services, "count posts", of, () => content.posts.countOlder(COUNTED_AT_ONCE))) ?? 0;

const BESIDE_DAYS = 90;

/** Suggestions that were decided, and earlier versions of terms and images, are kept as long as tool calls can be undone. */
export const forgetRecordsBeside: Sweep = async (services, content) => {
  const old = await content.beside.listClosedBefore(ago(services, BESIDE_DAYS * DAY), BATCH);
  for (const [websiteId, records] of Map.groupBy(old, (record) => record.websiteId)) {
    await content.beside.delete(
      websiteId,
      records.map(({ id }) => id),
    );
  }
  return old.length;
};

const EVENT_DAYS = 90;

/** Events are kept for 90 days. */
export const forgetEvents = (services: Services): Promise<number> =>
  services.platform.events.forgetBefore(ago(services, EVENT_DAYS * DAY), 1_000);

/** Records of a website that are erased in one transaction. */
const ERASED_AT_ONCE = 1_000;
/** Transactions for one website in one run. A stop of the service waits for the run, so a large website takes several runs. */
const ERASE_STEPS = 20;

/** Websites and workspaces are erased 30 days after their owner deleted them; a large one in several runs. */
export async function eraseDeleted(services: Services): Promise<number> {
  const before = ago(services, TRASH_DAYS * DAY);
  const { websites, workspaces } = services.platform;
  const asItems = <Id extends string>(ids: readonly Id[]) => ids.map((id) => ({ id }));
  const websitesGone = await eachSafely(services, asItems(await websites.listDeletedBefore(before, BATCH)), "erased", async ({ id }) => {
    await eraseImages(services, id);
    // Only what lies in our own store: nothing is ever deleted in a customer's database.
    for (let step = 0; step < ERASE_STEPS; step++) {
      if (await services.contents.managed.eraseWebsite(id, ERASED_AT_ONCE)) return websites.erase(id);
    }
  });
  const workspacesGone = await eachSafely(services, asItems(await workspaces.listDeletedBefore(before, BATCH)), "erased", ({ id }) =>
    workspaces.erase(id),
  );
  return websitesGone + workspacesGone;
}

/** The bytes of the website, in every store of the install that has or may have some, whatever records there are. Its own store is its owner's. */
async function eraseImages({ images, platform }: Services, websiteId: WebsiteId): Promise<void> {
  const stores = new Set(["disk", images.current, ...(await platform.mediaFiles.storesOf(websiteId))] as const);
  stores.delete("own");
  for (const name of stores) {
    const store = images.of(name, websiteId);
    for await (const key of store.list(websitePrefix(websiteId))) await store.delete(key);
  }
}
