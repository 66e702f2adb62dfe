import { fail } from "#domain/failure";
import type { MediaId } from "#domain/ids";
import { websiteOperation } from "../kernel/operation.ts";
import { findMedia, mediaId } from "./media-view.ts";

/** Makes room at once, for whoever does not want to wait until the trash is emptied. */
export const purgeMedia = websiteOperation({
  name: "purge_media",
  summary: "Remove an image in the trash for good.",
  permission: "media.delete",
  input: { mediaId },
  async run(context, input): Promise<{ id: MediaId; filename: string; bytes: number }> {
    const { services, content, website } = context;
    const { id, filename, bytes, storageKey, version, deletedAt } = await findMedia(context, input.mediaId);
    if (!deletedAt) throw fail("INVALID_TRANSITION", "The image is not in the trash. Move it there first.");
    // The record first: an image that somebody restores at this moment must keep its file.
    if ((await content.media.delete(website.id, id, version)) === "stale") {
      throw fail("VERSION_CONFLICT", "The image was changed by someone else meanwhile. Nothing was removed.", { currentVersion: null });
    }
    await services.mediaFiles.delete(storageKey).catch((error) => services.onTrouble(`The file ${storageKey} has no record`, error));
    return { id, filename, bytes };
  },
  activity: (_, __, { id, filename, bytes }) => ({ target: { id, label: filename }, details: { bytes } }),
});
