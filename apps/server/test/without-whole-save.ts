import type { ContentStore } from "#ports/content-store";

/** The store as if the platform lay in another database: a save goes in steps, as with content in MongoDB and on older nodes. */
export function withoutWholeSave({ posts: { saveWhole: _, ...posts }, ...content }: ContentStore): ContentStore {
  return { ...content, posts };
}
