import { fileKey, type MediaFile, type StoreName } from "#domain/media-file";
import type { OwnImageStore } from "#domain/own-image-store";
import { timestamp } from "#domain/time";
import type { Services } from "#operations/kernel/services";
import { sha256Of } from "#operations/media/helpers/store-file";

type MovingServices = Pick<Services, "images" | "platform" | "clock">;

/**
 * Copies a file to another store, reads the copy back and compares it; then the ledger says that it lies there. Whoever is killed in between
 * starts again and copies the file once more. "faulty": the bytes are missing, or others than the ledger knows, and it stays where it is.
 * "changed": somebody removed or changed it meanwhile, or left the store that it was copied to.
 */
export async function moveFile(services: MovingServices, file: MediaFile, to: StoreName): Promise<"moved" | "faulty" | "changed"> {
  const { images, platform, clock } = services;
  const key = fileKey(file);
  const ownStore = to === "own" ? await platform.ownImageStores.get(file.websiteId) : null;
  const bytes = await images.of(file.store, file.websiteId).get(key);
  if (!bytes || sha256Of(bytes) !== file.sha256) return "faulty";
  const target = images.of(to, file.websiteId);
  await target.put(key, bytes, file.contentType);
  const copy = await target.get(key);
  if (!copy || sha256Of(copy) !== file.sha256) throw new Error(`The copy of ${key} is not what was written. Nothing was removed.`);
  const isMoved = to === "own" ? await moveToOwn(services, file, ownStore) : await platform.mediaFiles.moveTo(file, to, timestamp(clock()));
  if (isMoved) return "moved";
  const now = await platform.mediaFiles.get(file.websiteId, file.mediaId);
  // Where somebody else moved it, the copy is theirs. In the owner's store it goes only with an image that was removed.
  const isUnwanted = to === "own" ? now === null || now.state === "leaving" : now?.store !== to;
  if (isUnwanted) await target.delete(key);
  return "changed";
}

/** Under the lock with which stores are connected and left: the copy counts only while the website has the store that it was made in. */
async function moveToOwn({ platform, clock }: MovingServices, file: MediaFile, copiedTo: OwnImageStore | null): Promise<boolean> {
  const website = await platform.websites.get(file.websiteId);
  if (!website || !copiedTo) return false;
  return platform.locked(website.workspaceId, async (locked) => {
    const now = await locked.ownImageStores.get(file.websiteId);
    const isSame = now?.place === copiedTo.place && now.connectedAt === copiedTo.connectedAt;
    return isSame && locked.mediaFiles.moveTo(file, "own", timestamp(clock()));
  });
}
