import { mediaKey, mediaUrl } from "#domain/media-address";
import type { InWebsite } from "../../kernel/operation.ts";
import { imageBytes, IMAGE_EXTENSION, IMAGE_HEIGHT, IMAGE_NAMES, IMAGE_WIDTH, imageAlt, imageId } from "./images.ts";
import { FOUNDED } from "./sample-ids.ts";

/** The images of the sample posts, about 100 kB together. */
export async function seedImages({ content, services, website, by }: InWebsite): Promise<void> {
  const there = new Set((await content.media.getMany(website.id, IMAGE_NAMES.map(imageId))).map((media) => media.id));
  for (const name of IMAGE_NAMES) {
    const id = imageId(name);
    if (there.has(id)) continue;
    const bytes = imageBytes(name);
    const storageKey = mediaKey(website.id, id, IMAGE_EXTENSION);
    const contentType = "image/png";
    // The bytes first: a record without them would be a broken image in a post.
    await services.mediaFiles.put(storageKey, bytes, contentType);
    await content.media.insert({
      id,
      websiteId: website.id,
      version: 1,
      storageKey,
      url: mediaUrl(storageKey),
      filename: `${name}.${IMAGE_EXTENSION}`,
      contentType,
      bytes: bytes.byteLength,
      metadata: "stripped",
      width: IMAGE_WIDTH,
      height: IMAGE_HEIGHT,
      blurhash: null,
      dominantColor: null,
      alt: imageAlt(name),
      createdAt: FOUNDED,
      createdBy: by,
      updatedAt: FOUNDED,
      deletedAt: null,
    });
  }
}
