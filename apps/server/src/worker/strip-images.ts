import type { Media } from "#domain/media";
import { keyOfMedia } from "#domain/media-file";
import { stripMetadata } from "#domain/metadata/strip-metadata";
import type { Services } from "#operations/kernel/services";
import { readFile } from "#operations/media/helpers/store-file";
import type { ContentStore } from "#ports/content-store";
import type { MediaRef } from "#ports/media-records";
import { eachSafely, onOneNode } from "./sweeps.ts";
import type { Walk } from "./walks.ts";

/** Files that are read and written in one step; each is in memory for a moment. */
const BATCH = 20;

/** Images between two words in the log. */
const SAID_EVERY = 1_000;

/**
 * Strips the files that were taken in before uploads were: those of earlier versions, and of their nodes that still run during an upgrade.
 * A file is replaced before its record says so, so that a crash in between only means that it is stripped once more. One node does it.
 */
export const stripImages: Walk<MediaRef> = async (services, content, after = null, of = null) => {
  const step = await onOneNode(services, "strip images", of, async () => {
    const images = await content.media.listUnchecked(after, BATCH);
    if (images.length === 0) return { next: null };
    const done = await eachSafely(services, images, "stripped of its metadata", (image) => stripImage(services, content, image));
    const { unchecked } = await content.media.countNotStripped();
    const isNews = after === null || unchecked === 0 || Math.floor(unchecked / SAID_EVERY) < Math.floor((unchecked + done) / SAID_EVERY);
    if (isNews) services.onProgress(`Removing the metadata of images that were uploaded before: ${unchecked} to go.`);
    return { next: images.length < BATCH ? null : images.at(-1)! };
  });
  return step?.next ?? null;
};

async function stripImage(services: Services, content: ContentStore, image: Media): Promise<void> {
  const key = keyOfMedia(image);
  const { mediaFiles } = services.platform;
  const store = (await mediaFiles.get(image.websiteId, image.id))?.store ?? "disk";
  const images = services.images.of(store, image.websiteId);
  const bytes = await images.get(key);
  const stripped = bytes && stripMetadata(bytes, image.contentType);
  if (stripped && Buffer.compare(stripped, bytes) !== 0) await images.put(key, stripped, image.contentType);
  // Without a file there is nothing that says too much.
  if (bytes && !stripped) services.onTrouble(`${key} is damaged: its metadata cannot be removed, and it is served as it is`, null);
  const saved = await content.media.saveFile(image, {
    bytes: stripped?.byteLength ?? image.bytes,
    metadata: bytes && !stripped ? "unreadable" : "stripped",
  });
  // Purged meanwhile: the file must not come back.
  if (saved === "stale") await images.delete(key);
  else if (bytes) await mediaFiles.record(readFile(services, image, stripped ?? bytes, store));
}
