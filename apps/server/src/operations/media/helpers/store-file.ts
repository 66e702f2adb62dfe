import { createHash } from "node:crypto";
import { fail, Failure } from "#domain/failure";
import type { MediaId } from "#domain/ids";
import type { Media } from "#domain/media";
import { fileKey, type MediaFile } from "#domain/media-file";
import { planWords } from "#domain/plan-words";
import { fits } from "#domain/plans";
import { MINUTE, timestamp } from "#domain/time";
import type { ReadFile } from "#ports/media-ledger";
import { currentPlan } from "../../kernel/current-plan.ts";
import type { InWebsite } from "../../kernel/operation.ts";
import type { Services } from "../../kernel/services.ts";

export const sha256Of = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** How a file is on record once its bytes were read, or are about to be written. */
export const readFile = (services: Pick<Services, "clock">, media: Media, bytes: Uint8Array, store: MediaFile["store"]): ReadFile => ({
  websiteId: media.websiteId,
  mediaId: media.id,
  contentType: media.contentType,
  bytes: bytes.byteLength,
  sha256: sha256Of(bytes),
  store,
  trashed: media.deletedAt !== null,
  changedAt: timestamp(services.clock()),
});

/**
 * Stores an image: its room in the ledger first, then the bytes, then the record. A crash in between leaves a file that is "expected", and
 * a sweep keeps or removes it; never a record whose image is missing. A refusal is answered, not thrown: only then is it certain that
 * nothing was stored.
 */
export async function storeFile(context: InWebsite, media: Media, bytes: Uint8Array, isSample = false): Promise<Failure | null> {
  return (await store(context, media, bytes, { isSample, isOnce: false })) as Failure | null;
}

/** The same, unless an image of the website has these bytes, or is just getting them: that one is answered. */
export const storeFileOnce = (context: InWebsite, media: Media, bytes: Uint8Array): Promise<Failure | MediaId | null> =>
  store(context, media, bytes, { isSample: false, isOnce: true });

interface Room {
  readonly isSample: boolean;
  readonly isOnce: boolean;
}

async function store(context: InWebsite, media: Media, bytes: Uint8Array, room: Room): Promise<Failure | MediaId | null> {
  const { services, content } = context;
  const { mediaFiles } = services.platform;
  const file = await takeRoom(context, readFile(services, media, bytes, services.images.current), room);
  if (file instanceof Failure || typeof file === "string") return file;
  try {
    await services.images.of(file.store, file.websiteId).put(fileKey(file), bytes, file.contentType);
  } catch (error) {
    await removeFile(services, { ...file, state: "expected" });
    throw error;
  }
  try {
    await content.media.insert(media);
  } catch (error) {
    // Nobody knows whether there is a record, and the sweep asks for it; unless the tool that uploads was disconnected meanwhile.
    if (!(error instanceof Failure && error.code === "GRANT_FORBIDS")) throw error;
    await removeFile(services, { ...file, state: "expected" });
    return error;
  }
  if (await mediaFiles.keep(file.websiteId, file.mediaId, "expected", timestamp(services.clock()))) return null;
  // It took so long that the sweep removed the file.
  await content.media.delete(media.websiteId, media.id, media.version);
  throw fail("UNAVAILABLE", "The image could not be stored in time. Upload it again.");
}

/**
 * The file with the store that it goes to, the image that has its bytes, or why it cannot be taken in. Under the lock of the workspace, so that uploads at the same moment
 * cannot exceed the plan together, and a store that is activated or left has either this file or the next. Inside it only the ledger and the
 * website's store on record are asked, which lie in the same database as the lock: no other database or store can hold the workspace up.
 */
function takeRoom({ services, workspace }: InWebsite, given: ReadFile, { isSample, isOnce }: Room): Promise<Failure | MediaId | ReadFile> {
  return services.platform.locked(workspace.id, async (platform) => {
    if (isOnce) {
      // An upload that took its room longer ago was left behind by a crash.
      const since = timestamp(services.clock().getTime() - MINUTE);
      const same = await platform.mediaFiles.findSame(given.websiteId, given.sha256, since);
      if (same) return same;
    }
    const isOwn = (await platform.ownImageStores.get(given.websiteId))?.state === "active";
    const file: ReadFile = isOwn ? { ...given, store: "own" } : given;
    const plan = await currentPlan(platform, workspace);
    const allowed = services.plans[plan].storageBytes;
    const stored = [...(await platform.mediaFiles.totals(workspace.id)).values()].reduce((sum, bytes) => sum + bytes, 0);
    // What an import that was killed left of this image is replaced.
    const before = await platform.mediaFiles.get(file.websiteId, file.mediaId);
    const used = stored - (before && before.store !== "own" ? before.bytes : 0);
    if (!isSample && !isOwn && !fits(used + file.bytes, allowed)) {
      return fail(
        "PLAN_LIMIT",
        `Not enough image storage left for this image. Delete images, including those in the trash, or ${planWords(plan).getMore}.`,
        { limit: "storageBytes", plan, allowed, used, bytes: file.bytes },
      );
    }
    if (await platform.mediaFiles.expect(file)) return file;
    return fail("UNAVAILABLE", "An image with this id is being removed right now. Try again in a few minutes.");
  });
}

/**
 * Writes the bytes of an image that is there already to where the ledger says that they lie, if they are not: somebody removed them from
 * their bucket, or connected another one. While a store does not answer, its files count as there.
 */
export async function putBackIfMissing({ platform, images }: Services, { websiteId, id }: Media, bytes: Uint8Array): Promise<void> {
  const file = await platform.mediaFiles.get(websiteId, id);
  if (file?.state !== "kept") return;
  const key = fileKey(file);
  const isMissing = async () => (await images.of(file.store, websiteId).size(key)) === null;
  if (!(await isMissing().catch(() => false))) return;
  const store = images.of(file.store, websiteId);
  await store.put(key, bytes, file.contentType);
  const now = await platform.mediaFiles.get(websiteId, id);
  // Removed meanwhile: it must not come back.
  if (now === null || now.state === "leaving") await store.delete(key);
}

/** Removes a file unless somebody changed it meanwhile. What fails here is told of, and the sweep tries it again. */
export async function removeFile(services: Pick<Services, "platform" | "images" | "clock" | "onTrouble">, file: MediaFile): Promise<void> {
  const { mediaFiles } = services.platform;
  try {
    if (file.state !== "leaving" && !(await mediaFiles.leave(file, timestamp(services.clock())))) return;
    await services.images.of(file.store, file.websiteId).delete(fileKey(file));
    await mediaFiles.remove(file.websiteId, file.mediaId);
  } catch (error) {
    services.onTrouble(`The file ${fileKey(file)} could not be removed; it is tried again`, error);
  }
}
