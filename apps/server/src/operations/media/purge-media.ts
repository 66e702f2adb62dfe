import { fail } from "#domain/failure";
import type { MediaId } from "#domain/ids";
import { websiteOperation } from "../kernel/operation.ts";
import { findMedia, mediaId } from "./helpers/media-view.ts";
import { removeImage } from "./helpers/remove-image.ts";

/** Frees space right away, for a person who does not want to wait until the trash is emptied. */
export const purgeMedia = websiteOperation({
  name: "purge_media",
  summary: "Permanently delete an image in the trash.",
  permission: "media.delete",
  input: { mediaId },
  async run(context, input): Promise<{ id: MediaId; filename: string; bytes: number }> {
    const media = await findMedia(context, input.mediaId);
    if (!media.deletedAt) throw fail("INVALID_TRANSITION", "The image is not in the trash. Move it there first.");
    if (!(await removeImage(context.services, context.content, media))) {
      throw fail("VERSION_CONFLICT", "Someone else changed the image. Nothing was deleted.", { currentVersion: null });
    }
    const { id, filename, bytes } = media;
    return { id, filename, bytes };
  },
  changes: "content",
  activity: (_, __, { id, filename, bytes }) => ({ target: { id, label: filename }, details: { bytes } }),
});
