import { isId, type MediaId, type WebsiteId } from "#domain/ids";
import { mediaKey } from "#domain/media-address";
import type { Media } from "#domain/media";
import { fileKey, type MediaFile } from "#domain/media-file";
import type { ImageStores } from "#ports/image-store";
import type { DeliveryServices } from "./services.ts";

type MediaFileServices = Pick<DeliveryServices, "platform" | "contentOf"> & { readonly images: ImageStores };

interface ServedMedia {
  readonly media: Pick<Media, "id" | "contentType" | "metadata">;
  /** Null: the bytes are not there. */
  size(): Promise<number | null>;
  read(first: number, last: number): AsyncIterable<Uint8Array>;
}

/**
 * The image behind an address such as `/media/site_…/media_….png`. Only what is on record is found, so no name of a request
 * reaches the store: not of a deleted website, not from the trash, not under another ending.
 */
export type FindMediaFile = (websiteId: string, fileName: string) => Promise<ServedMedia | null>;

export const createFindMediaFile =
  (services: MediaFileServices): FindMediaFile =>
  async (givenWebsite, fileName) => {
    const [givenId = "", extension = "", ...rest] = fileName.split(".");
    if (rest.length > 0 || !isId("website", givenWebsite) || !isId("media", givenId)) return null;
    const [websiteId, id] = [givenWebsite as WebsiteId, givenId as MediaId];
    const { websites, mediaFiles } = services.platform;
    const [website, file] = await Promise.all([websites.get(websiteId), mediaFiles.get(websiteId, id)]);
    if (!website) return null;
    const media = await shownMedia(services, websiteId, id, file);
    if (!media) return null;
    const key = fileKey({ websiteId, mediaId: id, contentType: media.contentType });
    if (key !== mediaKey(websiteId, id, extension)) return null;
    const store = services.images.of(file?.store ?? "disk");
    return { media, size: () => store.size(key), read: (first, last) => store.read(key, first, last) };
  };

/**
 * The ledger answers alone, so that images are served while the database of the content is down. The record is asked only where the ledger
 * has not read the file yet, or the file is just coming.
 */
async function shownMedia(services: MediaFileServices, websiteId: WebsiteId, id: MediaId, file: MediaFile | null) {
  if (file?.state === "kept" && file.sha256 !== null) {
    return file.trashed ? null : { id, contentType: file.contentType, metadata: "stripped" as const };
  }
  const media = await services.contentOf({ id: websiteId }).media.get(websiteId, id);
  return media?.deletedAt === null ? media : null;
}
