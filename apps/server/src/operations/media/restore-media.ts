import { fail } from "#domain/failure";
import { refuseWhileHeld } from "../kernel/hold-thing.ts";
import { websiteOperation } from "../kernel/operation.ts";
import { findMedia, mediaId, type MediaView } from "./helpers/media-view.ts";
import { saveMedia } from "./helpers/save-media.ts";

export const restoreMedia = websiteOperation({
  name: "restore_media",
  summary: "Restore an image from the trash.",
  permission: "media.manage",
  input: { mediaId },
  async run(context, input): Promise<MediaView> {
    refuseWhileHeld(context);
    const media = await findMedia(context, input.mediaId);
    if (!media.deletedAt) throw fail("INVALID_TRANSITION", "The image is not in the trash.");
    return saveMedia(context, media, { deletedAt: null });
  },
  changes: "content",
  activity: (_, __, media) => ({ target: { id: media.id, label: media.filename } }),
});
