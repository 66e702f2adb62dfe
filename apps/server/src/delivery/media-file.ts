import { isId, type MediaId, type WebsiteId } from "#domain/ids";
import { type Variant, VARIANT_RECIPE, variantName } from "#domain/image-variant";
import { mediaKey } from "#domain/media-address";
import { fileKey, type MediaFile } from "#domain/media-file";
import type { ImageStores } from "#ports/image-store";
import type { DeliveryServices } from "./services.ts";
import { createFindVariant, type VariantServices } from "./image-variants.ts";

type MediaFileServices = Pick<DeliveryServices, "platform" | "contentOf"> & VariantServices & { readonly images: ImageStores };

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

interface ServedFile extends FileFacts {
  /** Null: the bytes are not there. */
  open(): Promise<OpenedFile | null>;
}

/**
 * The image behind an address such as `/media/site_…/media_….png`, or a variant of it. Only what is on record is found, so no name of a
 * request reaches the store: not of a deleted website, not from the trash, not under another ending.
 */
export type FindMediaFile = (websiteId: string, fileName: string, variant: Variant | null) => Promise<ServedFile | null>;

export function createFindMediaFile(services: MediaFileServices): FindMediaFile {
  const findVariant = createFindVariant(services);
  return async (givenWebsite, fileName, variant) => {
    const [givenId = "", extension = "", ...rest] = fileName.split(".");
    if (rest.length > 0 || !isId("website", givenWebsite) || !isId("media", givenId)) return null;
    const [websiteId, id] = [givenWebsite as WebsiteId, givenId as MediaId];
    const { websites, mediaFiles } = services.platform;
    const [website, file] = await Promise.all([websites.get(websiteId), mediaFiles.get(websiteId, id)]);
    if (!website) return null;
    const media = await shownMedia(services, websiteId, id, file);
    if (!media) return null;
    const { contentType } = media;
    const key = fileKey({ websiteId, mediaId: id, contentType });
    if (key !== mediaKey(websiteId, id, extension)) return null;
    const store = services.images.of(file?.store ?? "disk");
    const isFinal = media.metadata !== "unchecked";
    const original: FileFacts = { contentType, etag: isFinal ? `"${id}.1"` : `"${id}"`, isFinal };
    const openOriginal = async (facts: FileFacts): Promise<OpenedFile | null> => {
      const size = await store.size(key);
      return size ? { ...facts, size, read: (first, last) => store.read(key, first, last) } : null;
    };
    if (!variant) return { ...original, open: () => openOriginal(original) };
    const facts: FileFacts = {
      contentType: `image/${variant.format}`,
      etag: `"${id}.${variantName(variant)}.${VARIANT_RECIPE}"`,
      isFinal: true,
    };
    return {
      ...facts,
      async open() {
        const made = await findVariant(key, variant, () => store.get(key));
        // A page shows the image as it was uploaded, not a hole.
        return made ? { ...facts, ...made } : openOriginal({ ...original, isFinal: false });
      },
    };
  };
}

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
