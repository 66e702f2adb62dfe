import type { MediaId, WebsiteId } from "#domain/ids";
import type { Media } from "#domain/media";
import { fileKey, keyOfMedia, type MediaFile } from "#domain/media-file";
import type { Services } from "#operations/kernel/services";
import { readFile } from "#operations/media/helpers/store-file";
import type { ContentStore } from "#ports/content-store";
import type { MediaRef } from "#ports/media-records";
import { eachSafely, onOneNode } from "./sweeps.ts";
import type { Walk } from "./walks.ts";

/** Images that are compared in one step. Files are read only where the ledger lacks them, each in memory for a moment. */
const BATCH = 50;
/** Files of the ledger that one step looks at. */
const MOST_FILES = 1_000;
/** Before and after every id. */
const FIRST = "" as MediaId;
const LAST = "~" as MediaId;

/**
 * Compares the ledger with the records of images. It reads and records the files of versions that had no ledger, of their nodes that still
 * run during an upgrade, and of content that lies in another database, with their settings. It deletes no bytes: records that are missing may only be those of
 * another database that was set by mistake. One node does it; one that starts again passes quickly what is recorded.
 */
export const recordFiles: Walk<MediaRef> = async (services, content, after = null, of = null) => {
  const step = await onOneNode(services, "record files", of, async () => {
    const images = await content.media.listAll(after, BATCH);
    const next = images.length < BATCH ? null : images.at(-1)!;
    const files = new Map<string, MediaFile>();
    const [from, to] = of ? [after ?? { websiteId: of, id: FIRST }, next ?? { websiteId: of, id: LAST }] : [after, next];
    for (const file of await services.platform.mediaFiles.listBetween(from, to, MOST_FILES)) files.set(fileId(file), file);
    await eachSafely(services, images, "recorded", (image) =>
      recordFile(services, content, image, files.get(`${image.websiteId}/${image.id}`)),
    );
    for (const { websiteId, id } of images) files.delete(`${websiteId}/${id}`);
    const alone = (await askable(services, [...files.values()], of)).map((file) => ({ ...file, id: file.mediaId }));
    await eachSafely(services, alone, "compared", (file) => forgetIfGone(services, file));
    return { next };
  });
  return step?.next ?? null;
};

const fileId = ({ websiteId, mediaId }: MediaFile) => `${websiteId}/${mediaId}`;

/**
 * The walk through our own store holds a connection of ours, so it leaves out what only a customer's database or bucket could say. Files of
 * websites with a database of their own are compared in the walk through that.
 */
async function askable({ platform }: Services, files: readonly MediaFile[], of: WebsiteId | null): Promise<readonly MediaFile[]> {
  if (of !== null || files.length === 0) return files;
  const moved = new Set(await platform.homes.listMoved());
  return files.filter(({ websiteId, store }) => store !== "own" && !moved.has(websiteId));
}

async function recordFile(services: Services, content: ContentStore, image: Media, listed: MediaFile | undefined): Promise<void> {
  const { mediaFiles } = services.platform;
  // The list is cut, and full where another website with many files comes first.
  const file = listed ?? (await mediaFiles.get(image.websiteId, image.id));
  if (file && file.state !== "kept") return;
  if (image.edit) await mediaFiles.keepEdit(image.websiteId, image.id, image.edit);
  if (file && file.sha256 !== null) {
    if (file.trashed === (image.deletedAt !== null)) return;
    // Moved to the trash or out of it while this was compared, or by a node of the version before.
    const now = await content.media.get(image.websiteId, image.id);
    return now ? mediaFiles.setTrashed(now.websiteId, now.id, now.deletedAt !== null) : undefined;
  }
  // Its file is about to be replaced by one without metadata (strip-images.ts).
  if (image.metadata === "unchecked") return;
  // What the ledger does not know yet lies on the disk.
  const store = file?.store ?? "disk";
  const bytes = await services.images.of(store, image.websiteId).get(keyOfMedia(image));
  if (bytes) await mediaFiles.record(readFile(services, image, bytes, store));
  else if (file) await mediaFiles.remove(file.websiteId, file.mediaId);
}

/** A node of the version before removed the image and its bytes. */
async function forgetIfGone({ contents, images, platform }: Services, file: MediaFile): Promise<void> {
  const { websiteId, mediaId } = file;
  const website = file.state === "kept" ? await platform.websites.get(websiteId) : null;
  if (!website || (await contents.withContent(website, (content) => content.media.get(websiteId, mediaId)))) return;
  if ((await images.of(file.store, websiteId).size(fileKey(file))) === null) await platform.mediaFiles.remove(websiteId, mediaId);
}
