import type { Media } from "#domain/media";
import { keyOfMedia } from "#domain/media-file";
import type { Original } from "#ports/image-processor";
import type { Services } from "../../kernel/services.ts";

/** The upload of an image, wherever it lies. What the ledger does not know yet lies on the disk. */
export async function originalOf({ platform, images }: Pick<Services, "platform" | "images">, media: Media): Promise<Original> {
  const store = (await platform.mediaFiles.get(media.websiteId, media.id))?.store ?? "disk";
  return {
    read: () => images.of(store, media.websiteId).get(keyOfMedia(media)),
    ownStoreOf: store === "own" ? media.websiteId : null,
  };
}
