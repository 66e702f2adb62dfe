import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { Failure } from "#domain/failure";
import { type MediaId, newId } from "#domain/ids";
import type { Media } from "#domain/media";
import { mediaKey, mediaUrl } from "#domain/media-address";
import { millis } from "#domain/time";
import { lineOf } from "../kernel/inputs.ts";
import { type InWebsite, websiteOperation } from "../kernel/operation.ts";
import { filenameInput } from "./helpers/media-input.ts";
import { rememberChange } from "../kernel/thing-changes.ts";
import { aboutMedia, type MediaView, mediaView } from "./helpers/media-view.ts";
import { changeable } from "./helpers/save-media.ts";
import { putBackIfMissing, sha256Of, storeFile, storeFileOnce } from "./helpers/store-file.ts";
import { takeImage } from "./helpers/take-image.ts";

/**
 * Takes the bytes themselves, not a place where they lie: nothing is stored for someone who may not upload or has no room,
 * and nobody can name a file of somebody else.
 */
export const addMedia = websiteOperation({
  name: "add_media",
  summary: "Upload an image (PNG, JPEG, GIF, WebP or AVIF, up to 20 MB).",
  permission: "media.upload",
  input: {
    bytes: z.instanceof(Uint8Array, { error: "must be the bytes of the image" }),
    filename: filenameInput,
    alt: lineOf(500).default(""),
    /** Shown while the image loads; made from the pixels where the client gives none. */
    blurhash: z
      .string()
      .regex(/^[\w#$%*+,\-.:;=?@[\]^{|}~]{6,120}$/, "must be a blurhash")
      .nullable()
      .default(null),
  },
  run: (context, input): Promise<MediaView> => storeImage(context, input),
  changes: "content",
  activity: (context, _, media) =>
    isNew(context, media) ? aboutMedia(media, { contentType: media.contentType, bytes: media.bytes }) : null,
});

/** An image that was there already has nothing to tell. */
export const isNew = ({ now }: InWebsite, media: MediaView): boolean => media.createdAt === now;

/** Also how an image comes in that lies at an address elsewhere. Bytes that the website has already answer the image that is there. */
export async function storeImage(
  context: InWebsite,
  input: { bytes: Uint8Array; filename: string; alt: string; blurhash: string | null },
): Promise<MediaView> {
  const { services, content, website, by, now } = context;
  const { bytes, ...image } = await takeImage(services, input.bytes);
  const sameId = await services.platform.mediaFiles.findSame(website.id, sha256Of(bytes));
  const same = sameId && (await content.media.get(website.id, sameId));
  if (same && same.deletedAt === null) {
    await putBackIfMissing(services, same, bytes);
    return mediaView(same);
  }
  const id = newId("media", millis(now));
  const media: Media = {
    id,
    websiteId: website.id,
    version: 1,
    url: mediaUrl(mediaKey(website.id, id, image.extension)),
    filename: input.filename,
    contentType: image.contentType,
    bytes: bytes.byteLength,
    metadata: "stripped",
    width: image.width,
    height: image.height,
    blurhash: input.blurhash ?? image.blurhash,
    dominantColor: image.dominantColor,
    alt: input.alt,
    edit: null,
    createdAt: now,
    createdBy: by,
    updatedAt: now,
    deletedAt: null,
  };
  await rememberChange(context, { targetId: id, version: 0, before: null, after: changeable(media) });
  return mediaView(await storeOnce(context, media, bytes));
}

/** Bytes that somebody uploads at this moment too become one image: whoever comes second waits for the first, without holding anything. */
async function storeOnce(context: InWebsite, media: Media, bytes: Uint8Array): Promise<Media> {
  for (let attempt = 0; attempt < 3; attempt++) {
    const stored = await storeFileOnce(context, media, bytes);
    if (stored === null) return media;
    if (stored instanceof Failure) throw stored;
    const same = await arrived(context, stored);
    if (same) return same;
  }
  // Those that were waited for did not come to stay.
  const refusal = await storeFile(context, media, bytes);
  if (refusal) throw refusal;
  return media;
}

const LOOK_AGAIN_MILLIS = 50;
/** A minute, as long as the ledger believes that an upload is under way. */
const MOST_LOOKS = 1_200;

/** An image that is there or being stored, once it is there; null when it does not come. */
async function arrived({ services, content, website }: InWebsite, id: MediaId): Promise<Media | null> {
  for (let look = 0; look < MOST_LOOKS; look++) {
    const file = await services.platform.mediaFiles.get(website.id, id);
    if (file?.state !== "expected") break;
    await delay(LOOK_AGAIN_MILLIS);
  }
  const media = await content.media.get(website.id, id);
  return media?.deletedAt === null ? media : null;
}
