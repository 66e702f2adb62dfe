import { fail, invalid } from "#domain/failure";
import { changesPixels, cropInput, editOf, focalPointInput, rotationInput, UNEDITED, withoutRevision } from "#domain/image-edit";
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
  summary: "Change the alt text or file name of an image, or how it is shown: focal point, crop and rotation.",
  permission: "media.manage",
  input: {
    mediaId,
    expectedVersion,
    alt: lineOf(500).optional(),
    filename: filenameInput.optional(),
    /** Shares of the upright image as it was uploaded, like the crop; null: the middle. */
    focalPoint: focalPointInput.nullable().optional(),
    crop: cropInput.nullable().optional(),
    rotation: rotationInput.optional(),
  },
  async run(context, input): Promise<MediaView> {
    const media = await findMedia(context, input.mediaId);
    if (media.version !== input.expectedVersion) throw versionConflict("image", media.version);
    if (media.deletedAt) throw fail("INVALID_TRANSITION", "An image in the trash cannot be edited. Restore it first.");
    const texts = { alt: input.alt ?? media.alt, filename: input.filename ?? media.filename };
    const { focalPoint, crop, rotation } = withoutRevision(media.edit ?? UNEDITED);
    const edit = {
      focalPoint: input.focalPoint === undefined ? focalPoint : input.focalPoint,
      crop: input.crop === undefined ? crop : input.crop,
      rotation: input.rotation ?? rotation,
    };
    if (media.contentType === "image/gif" && changesPixels(editOf(edit))) {
      throw invalid([{ field: edit.crop ? "crop" : "rotation", message: "is not possible for a GIF. Its focal point can be set." }]);
    }
    const save = () => saveMedia(context, media, { ...texts, edit });
    // Only a tool pays for knowing where it is shown.
    if (context.actor.type !== "tool") return save();
    const use = await findUse(context, media.id);
    if (holdsThings(context) && isUsed(use)) {
      return { ...mediaView(media), ...suggested(await holdThing(context, mediaThing(media), { fields: { ...texts, ...edit } })) };
    }
    return withinReaderBudget(context, await mediaEffect(context, use, media, "publish"), save);
  },
  changes: "content",
  activity: (_, __, media) => aboutMedia(media, { version: media.version }),
});
