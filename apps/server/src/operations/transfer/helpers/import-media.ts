import { isDeepStrictEqual } from "node:util";
import { Failure } from "#domain/failure";
import { editOf } from "#domain/image-edit";
import { mediaKey, mediaUrl } from "#domain/media-address";
import type { Media } from "#domain/media";
import type { InWebsite } from "../../kernel/operation.ts";
import { storeFile } from "../../media/helpers/store-file.ts";
import { takeImage, type TakenImage } from "../../media/helpers/take-image.ts";
import { type MediaRecord, mediaRecord } from "./records.ts";
import { OTHER_CONTENT, type Outcome } from "./report.ts";

/**
 * An image and its bytes. Where they are kept follows from the website and the id, never from the file: a line could
 * otherwise name, and later delete, an image of somebody else.
 */
export async function importMedia(context: InWebsite, record: MediaRecord, bytes: Uint8Array): Promise<Outcome> {
  const { content, services, website } = context;
  const { type: _, edit: given, ...rest } = record;
  const edit = given ? editOf(given) : null;
  if (bytes.byteLength === 0) return { conflict: "The file contains the image's record but not its bytes." };
  const image = await takeImage(services, bytes).catch(conflictOf);
  if ("conflict" in image) return image;
  if (!fits(record, image, bytes)) return { conflict: NO_MATCH };
  const file = { bytes: image.bytes.byteLength, metadata: "stripped", dominantColor: image.dominantColor } as const;
  const url = mediaUrl(mediaKey(website.id, record.id, image.extension));
  const media: Media = { ...rest, ...file, websiteId: website.id, url, edit: edit && { ...edit, revision: 1 } };
  const there = await content.media.get(website.id, media.id);
  if (there) return isDeepStrictEqual(mediaRecord(there), mediaRecord(media)) ? "skipped" : { conflict: OTHER_CONTENT };
  const numbered = edit && (await services.platform.mediaFiles.addEdit(website.id, media.id, edit));
  const refusal = await storeFile(context, { ...media, edit: numbered }, image.bytes);
  return refusal ? { conflict: refusal.message } : "imported";
}

const NO_MATCH = "The bytes do not match the image's record.";

/** An image that is not accepted is reported, and the import goes on; one that cannot be decoded now ends it, to be repeated. */
function conflictOf(error: unknown): { conflict: string } {
  if (!(error instanceof Failure) || error.code === "UNAVAILABLE") throw error;
  return { conflict: error.code === "VALIDATION_FAILED" ? error.errors[0]!.message : NO_MATCH };
}

const fits = (record: MediaRecord, image: TakenImage, bytes: Uint8Array): boolean =>
  record.contentType === image.contentType &&
  record.bytes === bytes.byteLength &&
  record.width === image.width &&
  record.height === image.height;
