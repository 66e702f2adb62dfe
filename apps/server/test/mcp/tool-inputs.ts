import { TOOLS } from "#mcp/tools";

/** What a call names: one of everything, in one website. */
export interface Named {
  readonly website: string;
  readonly post: string;
  readonly revision: string;
  readonly category: string;
  readonly image: string;
}

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
/** Nobody has read so far: whoever may write is refused for it, and nothing is changed. */
export const STALE = 999_999;
let made = 0;

/** A call of each tool. Changes name a stale version, so that asking who may do it does not do it. */
export const CALLS: Readonly<Record<string, (named: Named) => Record<string, unknown>>> = {
  get_context: ({ website }) => ({ website }),
  list_posts: ({ website }) => ({ website }),
  search_posts: ({ website }) => ({ website, text: "post" }),
  get_post: ({ website, post }) => ({ website, post }),
  create_post: ({ website }) => ({ website, title: "Made by a tool" }),
  update_post: ({ website, post }) => ({ website, post, expectedVersion: STALE, title: "Changed" }),
  edit_post_body: ({ website, post }) => ({ website, post, expectedVersion: STALE, edits: [{ find: "a", replace: "b" }] }),
  preview_post: ({ website, post }) => ({ website, post }),
  publish_post: ({ website, post }) => ({ website, post, expectedVersion: STALE }),
  schedule_post: ({ website, post }) => ({ website, post, expectedVersion: STALE, at: "2030-01-01T00:00:00Z" }),
  unpublish_post: ({ website, post }) => ({ website, post, expectedVersion: STALE }),
  list_revisions: ({ website, post }) => ({ website, post }),
  diff_revisions: ({ website, post, revision }) => ({ website, post, from: revision }),
  restore_revision: ({ website, post, revision }) => ({ website, post, revision, expectedVersion: STALE }),
  list_categories: ({ website }) => ({ website }),
  list_tags: ({ website }) => ({ website }),
  list_authors: ({ website }) => ({ website }),
  save_category: ({ website, category }) => ({ website, id: category, expectedVersion: STALE, name: "Changed" }),
  save_tag: ({ website }) => ({ website, name: `Tag ${++made}` }),
  save_author: ({ website }) => ({ website, name: `Author ${++made}` }),
  list_media: ({ website }) => ({ website }),
  get_media: ({ website, image }) => ({ website, id: image }),
  upload_media: ({ website }) => ({ website, base64: PIXEL, filename: "pixel.png", alt: "A pixel" }),
  update_media: ({ website, image }) => ({ website, id: image, expectedVersion: STALE, alt: "Changed" }),
  get_stats: ({ website }) => ({ website }),
  list_webhook_deliveries: ({ website }) => ({ website }),
  restore_post: ({ website, post }) => ({ website, post, expectedVersion: STALE }),
  delete_post: ({ website, post }) => ({ website, post, expectedVersion: STALE }),
  delete_media: ({ website, image }) => ({ website, id: image, expectedVersion: STALE }),
  delete_term: ({ website, category }) => ({ website, id: category, expectedVersion: STALE }),
};

export const TOOL_NAMES: readonly string[] = TOOLS.map(({ name }) => name);
