import { type FocalPoint, UNEDITED } from "#domain/image-edit";
import type { Media } from "#domain/media";
import { mediaKey, mediaUrl } from "#domain/media-address";
import type { InWebsite } from "../../kernel/operation.ts";
import { storeFile } from "../../media/helpers/store-file.ts";
import { imageBytes, IMAGE_EXTENSION, IMAGE_HEIGHT, IMAGE_NAMES, IMAGE_WIDTH, imageAlt, imageId } from "./images.ts";
import { FOUNDED } from "./sample-ids.ts";

/** The heavier line of the grid stays in sight, wherever the image is cropped. */
const FOCAL_POINTS: Readonly<Record<string, FocalPoint>> = { grid: { x: 0.382, y: 0.5 } };

/** The images of the sample posts, about 100 kB together. */
export async function seedImages(context: InWebsite): Promise<void> {
  const { content, services, website, by } = context;
  const there = new Set((await content.media.getMany(website.id, IMAGE_NAMES.map(imageId))).map((media) => media.id));
  for (const name of IMAGE_NAMES) {
    const id = imageId(name);
    if (there.has(id)) continue;
    const bytes = imageBytes(name);
    const focalPoint = FOCAL_POINTS[name];
    const media: Media = {
      id,
      websiteId: website.id,
      version: 1,
      url: mediaUrl(mediaKey(website.id, id, IMAGE_EXTENSION)),
      filename: `${name}.${IMAGE_EXTENSION}`,
      contentType: "image/png",
      bytes: bytes.byteLength,
      metadata: "stripped",
      width: IMAGE_WIDTH,
      height: IMAGE_HEIGHT,
      blurhash: null,
      dominantColor: null,
      alt: imageAlt(name),
      edit: focalPoint ? await services.platform.mediaFiles.addEdit(website.id, id, { ...UNEDITED, focalPoint }) : null,
      createdAt: FOUNDED,
      createdBy: by,
      updatedAt: FOUNDED,
      deletedAt: null,
    };
    const refusal = await storeFile(context, media, bytes, true);
    if (refusal) throw refusal;
  }
}
