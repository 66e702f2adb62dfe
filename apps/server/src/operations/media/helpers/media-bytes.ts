import type { Media } from "#domain/media";
import { keyOfMedia } from "#domain/media-file";
import type { Services } from "../../kernel/services.ts";

/** The bytes of an image, wherever they lie; null where they are missing. What the ledger does not know yet lies on the disk. */
export async function mediaBytes({ platform, images }: Pick<Services, "platform" | "images">, media: Media): Promise<Uint8Array | null> {
  const file = await platform.mediaFiles.get(media.websiteId, media.id);
  return images.of(file?.store ?? "disk").get(keyOfMedia(media));
}
