import { fail, invalid } from "#domain/failure";
import { type ImageInfo, type ImageProblem, MAX_IMAGE_BYTES, readImage } from "#domain/image";
import { stripMetadata } from "#domain/metadata/strip-metadata";
import type { ImageDefect, InspectedImage } from "#ports/image-processor";
import type { Services } from "../../kernel/services.ts";

const PROBLEMS: Record<ImageProblem | ImageDefect | "cannot be followed", string> = {
  svg: "SVG is not accepted, because it can contain scripts. Export the image as PNG or WebP.",
  heic: "HEIC is not accepted, because most browsers cannot show it. Export the photo as JPEG. On an iPhone, Settings → Camera → Formats → Most Compatible takes photos as JPEG.",
  unknown: "The file is not a PNG, JPEG, GIF, WebP or AVIF image. Convert it to one of these.",
  damaged: "The image is damaged or cut off. Export it again.",
  "too many pixels": "The image has more than 100 million pixels. Scale it down first.",
  "too many frames": "The animation has more than 200 million pixels in all its frames. Shorten it, or scale it down.",
  "too costly": "The image takes too long or too much memory to read. Scale it down, or export it again.",
  "cannot be followed": "The image is damaged or cut off, so what it holds beside the picture cannot be removed. Export it again.",
};

export interface TakenImage extends ImageInfo, InspectedImage {
  /** Without metadata: everybody who has the address can read the file. */
  readonly bytes: Uint8Array;
}

/** An image as it is stored: of a type that is accepted, stripped of its metadata, and decoded once to its last pixel. */
export async function takeImage({ imageProcessor }: Pick<Services, "imageProcessor">, given: Uint8Array): Promise<TakenImage> {
  if (given.byteLength > MAX_IMAGE_BYTES) {
    throw fail("PAYLOAD_TOO_LARGE", "The image is over 20 MB. Make it smaller; 2 MB is plenty for the web.", {
      maxBytes: MAX_IMAGE_BYTES,
      bytes: given.byteLength,
    });
  }
  const image = readImage(given);
  if (image === "svg" || image === "heic" || image === "unknown") {
    throw fail("UNSUPPORTED_MEDIA_TYPE", PROBLEMS[image], { problem: image });
  }
  if (typeof image === "string") throw refusal(image);
  const bytes = stripMetadata(given, image.contentType);
  if (!bytes) throw refusal("cannot be followed");
  const inspected = await imageProcessor.inspect(bytes);
  if (typeof inspected === "string") throw refusal(inspected);
  return { ...image, ...inspected, bytes };
}

const refusal = (problem: keyof typeof PROBLEMS) => invalid([{ field: "bytes", message: PROBLEMS[problem] }]);
