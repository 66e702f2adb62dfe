import { z } from "zod";
import { fail } from "#domain/failure";
import { holdThing, holdsThings, suggested } from "../kernel/hold-thing.ts";
import { expectedVersion } from "../kernel/inputs.ts";
import { websiteOperation } from "../kernel/operation.ts";
import { withinReaderBudget } from "../kernel/reader-budget.ts";
import { versionConflict } from "../kernel/version-conflict.ts";
import { aboutMedia, findMedia, findUse, isUsed, mediaId, type MediaUse, type MediaView, mediaView } from "./helpers/media-view.ts";
import { mediaEffect, mediaThing, saveMedia } from "./helpers/save-media.ts";

/** To the trash; the bytes go with the purge. */
export const deleteMedia = websiteOperation({
  name: "delete_media",
  summary: "Move an image to the trash; an image in use needs evenIfUsed.",
  permission: "media.delete",
  input: { mediaId, expectedVersion: expectedVersion.optional(), evenIfUsed: z.boolean().default(false) },
  async run(context, input): Promise<MediaView & { usedIn: MediaUse }> {
    const media = await findMedia(context, input.mediaId);
    if (input.expectedVersion !== undefined && input.expectedVersion !== media.version) throw versionConflict("image", media.version);
    if (media.deletedAt) throw fail("INVALID_TRANSITION", "The image is already in the trash.", { deletedAt: media.deletedAt });
    const usedIn = await findUse(context, media.id);
    if (isUsed(usedIn) && !input.evenIfUsed) {
      throw fail("INVALID_TRANSITION", `The image is in use: ${described(usedIn)}. Replace it there, or delete it anyway (evenIfUsed).`, {
        usedIn,
      });
    }
    if (holdsThings(context) && isUsed(usedIn)) {
      return { ...mediaView(media), ...suggested(await holdThing(context, mediaThing(media), { action: { type: "delete" } })), usedIn };
    }
    const effect = await mediaEffect(context, usedIn, media, "takedown");
    const trashed = await withinReaderBudget(context, effect, () => saveMedia(context, media, { deletedAt: context.now }));
    return { ...trashed, usedIn };
  },
  changes: "content",
  activity: (_, __, media) => aboutMedia(media, { posts: media.usedIn.postCount, authors: media.usedIn.authors.length }),
});

function described({ postCount, authors }: MediaUse): string {
  const parts = [];
  if (postCount > 0) parts.push(`${postCount} post${postCount === 1 ? "" : "s"}`);
  if (authors.length > 0) parts.push(`the portrait of ${authors.map((author) => author.name).join(", ")}`);
  return parts.join(" and ");
}
