import { fail } from "#domain/failure";
import { holdThing, holdsThings, suggested } from "../kernel/hold-thing.ts";
import { expectedVersion, lineOf } from "../kernel/inputs.ts";
import { websiteOperation } from "../kernel/operation.ts";
import { withinReaderBudget } from "../kernel/reader-budget.ts";
import { versionConflict } from "../kernel/version-conflict.ts";
import { filenameInput } from "./helpers/media-input.ts";
import { aboutMedia, findMedia, findUse, isUsed, mediaId, type MediaView, mediaView } from "./helpers/media-view.ts";
import { mediaEffect, mediaThing, saveMedia } from "./helpers/save-media.ts";

export const editMedia = websiteOperation({
  name: "edit_media",
  summary: "Change the alt text or file name of an image.",
  permission: "media.manage",
  input: { mediaId, expectedVersion, alt: lineOf(500).optional(), filename: filenameInput.optional() },
  async run(context, input): Promise<MediaView> {
    const media = await findMedia(context, input.mediaId);
    if (media.version !== input.expectedVersion) throw versionConflict("image", media.version);
    if (media.deletedAt) throw fail("INVALID_TRANSITION", "An image in the trash cannot be edited. Restore it first.");
    const fields = { alt: input.alt ?? media.alt, filename: input.filename ?? media.filename };
    // Only a tool pays for knowing where it is shown.
    if (context.actor.type !== "tool") return saveMedia(context, media, fields);
    const use = await findUse(context, media.id);
    if (holdsThings(context) && isUsed(use)) {
      return { ...mediaView(media), ...suggested(await holdThing(context, mediaThing(media), { fields })) };
    }
    return withinReaderBudget(context, await mediaEffect(context, use, media, "publish"), () => saveMedia(context, media, fields));
  },
  changes: "content",
  activity: (_, __, media) => aboutMedia(media, { version: media.version }),
});
