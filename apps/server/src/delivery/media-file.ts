import { isId, type MediaId, type WebsiteId } from "#domain/ids";
import { mediaKey } from "#domain/media-address";
import type { Media } from "#domain/media";
import type { MediaFiles } from "#ports/media-files";
import type { DeliveryServices } from "./services.ts";

type MediaFileServices = Pick<DeliveryServices, "platform" | "contentOf"> & { readonly mediaFiles: MediaFiles };

interface MediaFile {
  readonly media: Media;
  /** Null: the bytes are not there. */
  size(): Promise<number | null>;
  read(first: number, last: number): AsyncIterable<Uint8Array>;
}

/**
 * The image behind an address such as `/media/site_…/media_….png`. Only what has a record is found, so no name of a request
 * reaches the store: not of a deleted website, not from the trash, not under another ending.
 */
export type FindMediaFile = (websiteId: string, fileName: string) => Promise<MediaFile | null>;

export const createFindMediaFile =
  (services: MediaFileServices): FindMediaFile =>
  async (websiteId, fileName) => {
    const [id = "", extension = "", ...rest] = fileName.split(".");
    if (rest.length > 0 || !isId("website", websiteId) || !isId("media", id)) return null;
    const website = await services.platform.websites.get(websiteId as WebsiteId);
    const media = website && (await services.contentOf(website).media.get(website.id, id as MediaId));
    if (!media || media.deletedAt !== null || media.storageKey !== mediaKey(media.websiteId, media.id, extension)) return null;
    const { storageKey } = media;
    return {
      media,
      size: () => services.mediaFiles.size(storageKey),
      read: (first, last) => services.mediaFiles.read(storageKey, first, last),
    };
  };
