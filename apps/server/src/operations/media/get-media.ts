import { z } from "zod";
import { websiteOperation } from "../kernel/operation.ts";
import { findMedia, findUse, mediaId, type MediaUse, type MediaView, mediaView } from "./helpers/media-view.ts";
import { smallPicture, type SmallPicture } from "./helpers/small-picture.ts";

export const getMedia = websiteOperation({
  name: "get_media",
  summary: "Read the details of an image and where it is used.",
  permission: "workspace.read",
  input: {
    mediaId,
    /** With the image itself, made small, for those who cannot load addresses. */
    withPicture: z.boolean().default(false),
  },
  async run(context, input): Promise<MediaView & { usedIn: MediaUse; picture: SmallPicture | null }> {
    const media = await findMedia(context, input.mediaId);
    // Nobody sees what is in the trash.
    const isWanted = input.withPicture && media.deletedAt === null;
    const [usedIn, picture] = await Promise.all([findUse(context, media.id), isWanted ? smallPicture(context, media) : null]);
    return { ...mediaView(media), usedIn, picture };
  },
  activity: "none",
});
