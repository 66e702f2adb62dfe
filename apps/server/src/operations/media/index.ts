import { addMedia } from "./add-media.ts";
import { addMediaFromUrl } from "./add-media-from-url.ts";
import { deleteMedia } from "./delete-media.ts";
import { editMedia } from "./edit-media.ts";
import { getMedia } from "./get-media.ts";
import { listMedia } from "./list-media.ts";
import { purgeMedia } from "./purge-media.ts";
import { replaceMedia } from "./replace-media.ts";
import { replaceMediaInPost } from "./replace-media-in-post.ts";
import { restoreMedia } from "./restore-media.ts";

export const operations = {
  list_media: listMedia,
  get_media: getMedia,
  add_media: addMedia,
  add_media_from_url: addMediaFromUrl,
  edit_media: editMedia,
  replace_media: replaceMedia,
  replace_media_in_post: replaceMediaInPost,
  delete_media: deleteMedia,
  restore_media: restoreMedia,
  purge_media: purgeMedia,
} as const;
