import type { Media } from "#domain/media";
import { fileKey, type MediaFile } from "#domain/media-file";
import type { Services } from "#operations/kernel/services";
import { mediaBytes } from "#operations/media/helpers/media-bytes";
import { readFile } from "#operations/media/helpers/store-file";
import type { ContentStore, MediaRef } from "#ports/content-store";
import { eachSafely } from "./sweeps.ts";
import type { Walk } from "./walks.ts";

/** Images that are compared in one step. Files are read only where the ledger lacks them, each in memory for a moment. */
const BATCH = 50;
/** Files of the ledger that one step looks at. */
const MOST_FILES = 1_000;

/**
 * Compares the ledger with the records of images. It reads and records the files of versions that had no ledger, of their nodes that still
 * run during an upgrade, and of content that lies in another database. It deletes no bytes: records that are missing may only be those of
 * another database that was set by mistake. One node does it; one that starts again passes quickly what is recorded.
 */
export const recordFiles: Walk<MediaRef> = async (services, content, after = null) => {
  const step = await services.platform.onOneNode("record files", async () => {
    const images = await content.media.listAll(after, BATCH);
    const next = images.length < BATCH ? null : images.at(-1)!;
    const files = new Map<string, MediaFile>();
    for (const file of await services.platform.mediaFiles.listBetween(after, next, MOST_FILES)) files.set(fileId(file), file);
    await eachSafely(services, images, "recorded", (image) =>
      recordFile(services, content, image, files.get(`${image.websiteId}/${image.id}`)),
    );
    for (const { websiteId, id } of images) files.delete(`${websiteId}/${id}`);
    const alone = [...files.values()].map((file) => ({ ...file, id: file.mediaId }));
    await eachSafely(services, alone, "compared", (file) => forgetIfGone(services, file));
    return { next };
  });
  return step?.next ?? null;
};

const fileId = ({ websiteId, mediaId }: MediaFile) => `${websiteId}/${mediaId}`;

async function recordFile(services: Services, content: ContentStore, image: Media, file: MediaFile | undefined): Promise<void> {
  const { mediaFiles } = services.platform;
  if (file && file.state !== "kept") return;
  if (file && file.sha256 !== null) {
    if (file.trashed === (image.deletedAt !== null)) return;
    // Moved to the trash or out of it while this was compared, or by a node of the version before.
    const now = await content.media.get(image.websiteId, image.id);
    return now ? mediaFiles.setTrashed(now.websiteId, now.id, now.deletedAt !== null) : undefined;
  }
  // Its file is about to be replaced by one without metadata (strip-images.ts).
  if (image.metadata === "unchecked") return;
  const bytes = await mediaBytes(services, image);
  if (bytes) await mediaFiles.record(readFile(services, image, bytes, file?.store ?? "disk"));
  else if (file) await mediaFiles.remove(file.websiteId, file.mediaId);
}

/** A node of the version before removed the image and its bytes. */
async function forgetIfGone({ contentOf, images, platform }: Services, file: MediaFile): Promise<void> {
  const { websiteId, mediaId } = file;
  if (file.state !== "kept" || (await contentOf({ id: websiteId }).media.get(websiteId, mediaId))) return;
  if ((await images.of(file.store).size(fileKey(file))) === null) await platform.mediaFiles.remove(websiteId, mediaId);
}
