import { isDeepStrictEqual } from "node:util";
import { type ImageInfo, MAX_IMAGE_BYTES, readImage } from "#domain/image";
import { mediaKey, mediaUrl } from "#domain/media-address";
import type { Media } from "#domain/media";
import { stripMetadata } from "#domain/metadata/strip-metadata";
import type { InWebsite } from "../../kernel/operation.ts";
import { storeFile } from "../../media/helpers/store-file.ts";
import { type MediaRecord, mediaRecord } from "./records.ts";
import { OTHER_CONTENT, type Outcome } from "./report.ts";

/**
 * An image and its bytes. Where they are kept follows from the website and the id, never from the file: a line could
 * otherwise name, and later delete, an image of somebody else.
 */
export async function importMedia(context: InWebsite, record: MediaRecord, bytes: Uint8Array): Promise<Outcome> {
  const { content, website } = context;
  const { type: _, ...rest } = record;
  if (bytes.byteLength === 0) return { conflict: "The file contains the image's record but not its bytes." };
  const image = imageIn(bytes);
  if (!image || !fits(record, image, bytes)) return { conflict: "The bytes do not match the image's record." };
  const stripped = stripMetadata(bytes, image.contentType);
  if (!stripped) return { conflict: "The image is damaged or cut off, so what it holds beside the picture cannot be removed." };
  const file = { bytes: stripped.byteLength, metadata: "stripped" } as const;
  const media: Media = { ...rest, ...file, websiteId: website.id, url: mediaUrl(mediaKey(website.id, record.id, image.extension)) };
  const there = await content.media.get(website.id, media.id);
  if (there) return isDeepStrictEqual(mediaRecord(there), mediaRecord(media)) ? "skipped" : { conflict: OTHER_CONTENT };
  const refusal = await storeFile(context, media, stripped);
  return refusal ? { conflict: refusal.message } : "imported";
}

function imageIn(bytes: Uint8Array): ImageInfo | null {
  if (bytes.byteLength > MAX_IMAGE_BYTES) return null;
  const image = readImage(bytes);
  return typeof image === "object" ? image : null;
}

const fits = (record: MediaRecord, image: ImageInfo, bytes: Uint8Array): boolean =>
  record.contentType === image.contentType &&
  record.bytes === bytes.byteLength &&
  record.width === image.width &&
  record.height === image.height;
