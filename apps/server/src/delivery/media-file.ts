import { isId, type MediaId, type WebsiteId } from "#domain/ids";
import { type Variant, VARIANT_RECIPE, variantName } from "#domain/image-variant";
import { mediaKey } from "#domain/media-address";
import type { DeliveryServices } from "./services.ts";
import { createFindVariant, type VariantServices } from "./image-variants.ts";

type MediaFileServices = Pick<DeliveryServices, "platform" | "contentOf"> & VariantServices;

/** What a response says about the bytes, before there are any. */
interface FileFacts {
  readonly contentType: string;
  readonly etag: string;
  /**
   * Whether the bytes behind the address stay as they are. Files from before metadata was stripped are replaced once (decision 0029),
   * and a variant that cannot be made now may be later.
   */
  readonly isFinal: boolean;
}

interface OpenedFile extends FileFacts {
  readonly size: number;
  read(first: number, last: number): AsyncIterable<Uint8Array>;
}

interface MediaFile extends FileFacts {
  /** Null: the bytes are not there. */
  open(): Promise<OpenedFile | null>;
}

/**
 * The image behind an address such as `/media/site_…/media_….png`, or a variant of it. Only what has a record is found, so no name of a
 * request reaches the store: not of a deleted website, not from the trash, not under another ending.
 */
export type FindMediaFile = (websiteId: string, fileName: string, variant: Variant | null) => Promise<MediaFile | null>;

export function createFindMediaFile(services: MediaFileServices): FindMediaFile {
  const findVariant = createFindVariant(services);
  return async (websiteId, fileName, variant) => {
    const [id = "", extension = "", ...rest] = fileName.split(".");
    if (rest.length > 0 || !isId("website", websiteId) || !isId("media", id)) return null;
    const website = await services.platform.websites.get(websiteId as WebsiteId);
    const media = website && (await services.contentOf(website).media.get(website.id, id as MediaId));
    if (!media || media.deletedAt !== null || media.storageKey !== mediaKey(media.websiteId, media.id, extension)) return null;
    const { storageKey, contentType } = media;
    const isFinal = media.metadata !== "unchecked";
    const original: FileFacts = { contentType, etag: isFinal ? `"${media.id}.1"` : `"${media.id}"`, isFinal };
    const openOriginal = async (facts: FileFacts): Promise<OpenedFile | null> => {
      const size = await services.mediaFiles.size(storageKey);
      return size ? { ...facts, size, read: (first, last) => services.mediaFiles.read(storageKey, first, last) } : null;
    };
    if (!variant) return { ...original, open: () => openOriginal(original) };
    const facts: FileFacts = {
      contentType: `image/${variant.format}`,
      etag: `"${media.id}.${variantName(variant)}.${VARIANT_RECIPE}"`,
      isFinal: true,
    };
    return {
      ...facts,
      async open() {
        const made = await findVariant(storageKey, variant);
        // A page shows the image as it was uploaded, not a hole.
        return made ? { ...facts, ...made } : openOriginal({ ...original, isFinal: false });
      },
    };
  };
}
