import { checkPost } from "./check-post.ts";
import { createPost } from "./create-post.ts";
import { createPreview } from "./create-preview.ts";
import { deletePost } from "./delete-post.ts";
import { discardChanges } from "./discard-changes.ts";
import { duplicatePost } from "./duplicate-post.ts";
import { editPost } from "./edit-post.ts";
import { findPost } from "./find-post.ts";
import { getPost } from "./get-post.ts";
import { getPostWithTerms } from "./get-post-with-terms.ts";
import { listCalendar } from "./list-calendar.ts";
import { countPosts, listPostHeads, listPosts } from "./list-posts.ts";
import { listToolChanges } from "./list-tool-changes.ts";
import { publishPost } from "./publish-post.ts";
import { purgePost } from "./purge-post.ts";
import { restorePost } from "./restore-post.ts";
import { endReview, requestReview } from "./review-post.ts";
import { diffRevisions, getRevision, listRevisions, restoreRevision } from "./revisions.ts";
import { schedulePost } from "./schedule-post.ts";
import { searchPosts } from "./search-posts.ts";
import { unpublishPost } from "./unpublish-post.ts";
import { updateLivePost } from "./update-live-post.ts";

export const operations = {
  list_posts: listPosts,
  list_post_heads: listPostHeads,
  count_posts: countPosts,
  search_posts: searchPosts,
  find_post: findPost,
  get_post: getPost,
  get_post_with_terms: getPostWithTerms,
  create_post: createPost,
  edit_post: editPost,
  duplicate_post: duplicatePost,
  publish_post: publishPost,
  update_live_post: updateLivePost,
  schedule_post: schedulePost,
  unpublish_post: unpublishPost,
  delete_post: deletePost,
  restore_post: restorePost,
  purge_post: purgePost,
  request_review: requestReview,
  end_review: endReview,
  discard_changes: discardChanges,
  list_revisions: listRevisions,
  get_revision: getRevision,
  diff_revisions: diffRevisions,
  restore_revision: restoreRevision,
  list_tool_changes: listToolChanges,
  create_preview: createPreview,
  check_post: checkPost,
  list_calendar: listCalendar,
} as const;
