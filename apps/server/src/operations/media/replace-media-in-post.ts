import { isDeepStrictEqual } from "node:util";
import { mediaIdsOf } from "#domain/media-ids";
import { changeBoth, requireEditable } from "#domain/post-life";
import { withImageReplaced } from "#domain/replace-image";
import { originalUrl } from "#domain/shown-image";
import { expectedVersion } from "../kernel/inputs.ts";
import { postOperation } from "../kernel/operation.ts";
import { aboutPost, type PostView, viewOf } from "../posts/helpers/post-view.ts";
import { requireVersion, storePost } from "../posts/helpers/store-post.ts";
import { findMedia, mediaId } from "./helpers/media-view.ts";
import { requireReplacement } from "./helpers/require-replacement.ts";

/** One save: readers and writers get the other image at the same moment, and unpublished changes stay unpublished. */
export const replaceMediaInPost = postOperation({
  name: "replace_media_in_post",
  summary: "Put another image in the place of one, in the working copy and the live version of a post.",
  permission: "media.replace",
  input: { expectedVersion, mediaId, byMediaId: mediaId },
  async run(context, input): Promise<PostView> {
    const { post, services, website, by, now } = context;
    requireVersion(post, input.expectedVersion);
    requireEditable(post);
    const to = requireReplacement(await findMedia(context, input.byMediaId));
    const replaced = { websiteId: website.id, from: input.mediaId, to: { id: to.id, url: originalUrl(to) } };
    const working = withImageReplaced(post.working, replaced);
    const shown = post.status === "published" && post.live ? withImageReplaced(post.live.content, replaced) : null;
    const isLiveChanged = shown !== null && !isDeepStrictEqual(shown, post.live!.content);
    if (!isLiveChanged && isDeepStrictEqual(working, post.working)) return viewOf(post);
    const live = isLiveChanged ? { content: shown, rendering: await services.render(shown.body), mediaIds: mediaIdsOf(shown) } : null;
    return viewOf(await storePost(context, changeBoth(post, { working, workingMediaIds: mediaIdsOf(working), live }, { by, now })));
  },
  changes: "content",
  activity: ({ post }, { mediaId: from, byMediaId: to }, saved) => (saved.version === post.version ? null : aboutPost(saved, { from, to })),
});
