import type { HomedWebsite } from "#domain/content-home";
import { isId, type MediaId, type WebsiteId } from "#domain/ids";
import { changesPixels, MAX_REVISIONS } from "#domain/image-edit";
import { largestVariant, type Variant, VARIANT_RECIPE, variantName } from "#domain/image-variant";
import { createLine, type Line, type LineRule } from "#domain/line";
import { mediaKey } from "#domain/media-address";
import { fileKey, type MediaFile } from "#domain/media-file";
import type { ImageStores } from "#ports/image-store";
import type { DeliveryServices } from "./services.ts";
import { createFindVariant, type VariantServices } from "./image-variants.ts";

type MediaFileServices = Pick<DeliveryServices, "platform" | "contents"> & VariantServices & { readonly images: ImageStores };

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

export interface OpenedFile extends FileFacts {
  readonly size: number;
  /** All of it, where it is in memory. */
  readonly bytes?: Uint8Array;
  read(first: number, last: number): AsyncIterable<Uint8Array>;
}

export interface ServedFile extends FileFacts {
  /** Null: the bytes are not there. */
  open(): Promise<OpenedFile | null>;
}

/**
 * The image behind an address such as `/media/site_…/media_….png`, with its settings of a number (`media_….3.png`), or a variant of either.
 * Only what is on record is found, so no name of a request reaches the store: not of a deleted website, not from the trash, not under another
 * ending, not with settings that it never had.
 */
export type FindMediaFile = (websiteId: string, fileName: string, variant: Variant | null) => Promise<ServedFile | null>;

/** Id, number of the settings, ending. A number has one way to be written. */
const FILE_NAME = /^([0-9a-z_]+)(?:\.([1-9][0-9]{0,4}))?\.([a-z]{3,4})$/;

/** Anybody can make ids up. Of the ten places at a customer's database two are for those: keys and people have the others. */
const UNKNOWN: LineRule = { atWork: 2, atWorkInAll: 16, waiting: 50, waitingInAll: 500 };

export function createFindMediaFile(services: MediaFileServices): FindMediaFile {
  const findVariant = createFindVariant(services);
  const line = createLine(UNKNOWN, "requests for images that are not known yet");
  return async (givenWebsite, fileName, asked) => {
    const [, givenId = "", number, extension = ""] = FILE_NAME.exec(fileName) ?? [];
    if (!isId("website", givenWebsite) || !isId("media", givenId)) return null;
    const [websiteId, id] = [givenWebsite as WebsiteId, givenId as MediaId];
    const { websites, mediaFiles } = services.platform;
    const revision = number === undefined ? null : Number(number);
    const [website, file, edit] = await Promise.all([
      websites.get(websiteId),
      mediaFiles.get(websiteId, id),
      revision === null || revision > MAX_REVISIONS ? null : mediaFiles.getEdit(websiteId, id, revision),
    ]);
    if (!website || (revision !== null && edit === null)) return null;
    const media = await shownMedia(services, line, website, id, file);
    if (!media) return null;
    const { contentType } = media;
    const key = fileKey({ websiteId, mediaId: id, contentType });
    if (key !== mediaKey(websiteId, id, extension)) return null;
    const store = services.images.of(file?.store ?? "disk", websiteId);
    const isFinal = media.metadata !== "unchecked";
    const original: FileFacts = { contentType, etag: isFinal ? `"${id}.1"` : `"${id}"`, isFinal };
    const openOriginal = async (facts: FileFacts): Promise<OpenedFile | null> => {
      const size = await store.size(key);
      // Somebody's bucket can hold anything under the name of an image, of any length.
      const isLarger = file?.store === "own" && (size ?? 0) > file.bytes;
      return size && !isLarger ? { ...facts, size, read: (first, last) => store.read(key, first, last) } : null;
    };
    const variant = asked ?? (changesPixels(edit) ? largestVariant(contentType) : null);
    if (!variant) return { ...original, open: () => openOriginal(original) };
    // A focal point alone changes nothing of an image in its own shape: the variant is the one that may be there already.
    const applied = changesPixels(edit) || variant.ratio !== null ? edit : null;
    const facts: FileFacts = {
      contentType: `image/${variant.format}`,
      etag: `"${id}.${variantName(variant, applied)}.${VARIANT_RECIPE}"`,
      isFinal: true,
    };
    return {
      ...facts,
      async open() {
        const read = () => store.get(key);
        const made = await findVariant(key, variant, applied, { read, ownStoreOf: file?.store === "own" ? websiteId : null });
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
async function shownMedia(services: MediaFileServices, line: Line, website: HomedWebsite, id: MediaId, file: MediaFile | null) {
  if (file?.state === "kept" && file.sha256 !== null) {
    return file.trashed ? null : { id, contentType: file.contentType, metadata: "stripped" as const };
  }
  const leave = website.home.kind === "own" ? await line(website.id) : null;
  try {
    const media = await services.contents.withContent(website, (content) => content.media.get(website.id, id));
    return media?.deletedAt === null ? media : null;
  } finally {
    leave?.();
  }
}
