import { websiteOperation } from "../kernel/operation.ts";
import { findMedia, findUse, mediaId, type MediaUse, type MediaView, mediaView } from "./helpers/media-view.ts";

export const getMedia = websiteOperation({
  name: "get_media",
  summary: "Read the details of an image and where it is used.",
  permission: "workspace.read",
  input: { mediaId },
  async run(context, input): Promise<MediaView & { usedIn: MediaUse }> {
    const media = await findMedia(context, input.mediaId);
    return { ...mediaView(media), usedIn: await findUse(context, media.id) };
  },
  activity: "none",
});
