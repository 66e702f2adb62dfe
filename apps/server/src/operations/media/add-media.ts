import { z } from "zod";
import { fail, invalid } from "#domain/failure";
import { newId } from "#domain/ids";
import { type ImageInfo, type ImageProblem, MAX_IMAGE_BYTES, readImage } from "#domain/image";
import type { Media } from "#domain/media";
import { mediaKey, mediaUrl } from "#domain/media-address";
import { stripMetadata } from "#domain/metadata/strip-metadata";
import { millis } from "#domain/time";
import { lineOf } from "../kernel/inputs.ts";
import { type InWebsite, websiteOperation } from "../kernel/operation.ts";
import { filenameInput } from "./helpers/media-input.ts";
import { rememberChange } from "../kernel/thing-changes.ts";
import { aboutMedia, type MediaView, mediaView } from "./helpers/media-view.ts";
import { changeable } from "./helpers/save-media.ts";
import { sha256Of, storeFile } from "./helpers/store-file.ts";

const PROBLEMS: Record<ImageProblem | "cannot be followed", string> = {
  svg: "SVG is not accepted, because it can contain scripts. Export the image as PNG or WebP.",
  unknown: "The file is not a PNG, JPEG, GIF, WebP or AVIF image. Convert it to one of these.",
  damaged: "The image is damaged: its size cannot be read. Export it again.",
  "too many pixels": "The image has more than 100 million pixels. Scale it down first.",
  "cannot be followed": "The image is damaged or cut off, so what it holds beside the picture cannot be removed. Export it again.",
};

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
    /** Made by the client, which can see the pixels; shown while the image loads. */
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
  const { image, bytes } = requireImage(input.bytes);
  const sameId = await services.platform.mediaFiles.findSame(website.id, sha256Of(bytes));
  const same = sameId && (await content.media.get(website.id, sameId));
  if (same && same.deletedAt === null) return mediaView(same);
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
    blurhash: input.blurhash,
    alt: input.alt,
    createdAt: now,
    createdBy: by,
    updatedAt: now,
    deletedAt: null,
  };
  await rememberChange(context, { targetId: id, version: 0, before: null, after: changeable(media) });
  const refusal = await storeFile(context, media, bytes);
  if (refusal) throw refusal;
  return mediaView(media);
}

/** The image without its metadata: everybody who has its address can read the file. */
function requireImage(bytes: Uint8Array): { image: ImageInfo; bytes: Uint8Array } {
  if (bytes.byteLength > MAX_IMAGE_BYTES) {
    throw fail("PAYLOAD_TOO_LARGE", "The image is over 20 MB. Make it smaller; 2 MB is plenty for the web.", {
      maxBytes: MAX_IMAGE_BYTES,
      bytes: bytes.byteLength,
    });
  }
  const image = readImage(bytes);
  if (typeof image === "object") {
    const stripped = stripMetadata(bytes, image.contentType);
    if (stripped) return { image, bytes: stripped };
    throw invalid([{ field: "bytes", message: PROBLEMS["cannot be followed"] }]);
  }
  if (image === "svg" || image === "unknown") throw fail("UNSUPPORTED_MEDIA_TYPE", PROBLEMS[image], { problem: image });
  throw invalid([{ field: "bytes", message: PROBLEMS[image] }]);
}
