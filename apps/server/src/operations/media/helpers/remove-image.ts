import type { Media } from "#domain/media";
import { keyOfMedia } from "#domain/media-file";
import { timestamp } from "#domain/time";
import type { ContentStore } from "#ports/content-store";
import type { Services } from "../../kernel/services.ts";
import { removeFile } from "./store-file.ts";

/**
 * Removes an image in the trash for good; false, and nothing is removed, when it was changed meanwhile. The ledger says that the file is
 * leaving before the record goes, and the record goes before the bytes: an image that somebody restores at this moment keeps its file, and
 * what a crash leaves is found by the sweep.
 */
export async function removeImage(
  services: Pick<Services, "platform" | "images" | "clock" | "onTrouble">,
  content: ContentStore,
  media: Media,
): Promise<boolean> {
  const { mediaFiles } = services.platform;
  const file = await mediaFiles.get(media.websiteId, media.id);
  const leavingAt = timestamp(services.clock());
  if (file && !(await mediaFiles.leave(file, leavingAt))) return false;
  if ((await content.media.delete(media.websiteId, media.id, media.version)) === "stale") {
    if (file) await mediaFiles.keep(media.websiteId, media.id, "leaving", leavingAt);
    return false;
  }
  if (file) await removeFile(services, { ...file, state: "leaving" });
  // A node of the version before took it in, and the walk has not found it yet.
  else await services.images.of("disk").delete(keyOfMedia(media));
  return true;
}
