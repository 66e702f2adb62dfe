import { fail } from "#domain/failure";
import { versionConflict } from "../kernel/version-conflict.ts";
import { expectedVersion, lineOf } from "../kernel/inputs.ts";
import { websiteOperation } from "../kernel/operation.ts";
import { filenameInput } from "./helpers/media-input.ts";
import { findMedia, mediaId, type MediaView, saveMedia } from "./helpers/media-view.ts";

export const editMedia = websiteOperation({
  name: "edit_media",
  summary: "Change the alt text or file name of an image.",
  permission: "media.manage",
  input: { mediaId, expectedVersion, alt: lineOf(500).optional(), filename: filenameInput.optional() },
  async run(context, input): Promise<MediaView> {
    const media = await findMedia(context, input.mediaId);
    if (media.version !== input.expectedVersion) throw versionConflict("image", media.version);
    if (media.deletedAt) throw fail("INVALID_TRANSITION", "An image in the trash cannot be edited. Restore it first.");
    return saveMedia(context, media, { alt: input.alt ?? media.alt, filename: input.filename ?? media.filename });
  },
  changes: "content",
  activity: (_, __, media) => ({ target: { id: media.id, label: media.filename }, details: { version: media.version } }),
});
