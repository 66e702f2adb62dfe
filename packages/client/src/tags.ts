/** What a page of Next.js is revalidated by: everything, what is made from several posts, and one post. */
export const EVERYTHING_TAG = "stet";
export const LISTS_TAG = "stet-lists";
export const postTag = (slugOrId: string): string => `stet-post-${slugOrId}`;
