import type { Media } from "#domain/media";
import type { ContentStore } from "#ports/content-store";
import type { Services } from "../../kernel/services.ts";

/**
 * Removes an image in the trash for good; false, and nothing is removed, when it was changed meanwhile. The record first: an image that
 * somebody restores at this moment must keep its file. A crash in between leaves a file that nobody shows.
 */
export async function removeImage(
  { mediaFiles, onTrouble }: Pick<Services, "mediaFiles" | "onTrouble">,
  content: ContentStore,
  { websiteId, id, version, storageKey }: Media,
): Promise<boolean> {
  if ((await content.media.delete(websiteId, id, version)) === "stale") return false;
  await mediaFiles.delete(storageKey).catch((error: unknown) => onTrouble(`The file ${storageKey} has no record`, error));
  return true;
}
