import type { ContentKey } from "../autosave/content.ts";

/** What the parts of a post are called on the page. */
export const FIELD_WORDS: Record<ContentKey, string> = {
  title: "Title",
  slug: "Address",
  excerpt: "Excerpt",
  body: "Text",
  coverMediaId: "Cover image",
  coverAlt: "Cover alt text",
  categoryIds: "Categories",
  tagIds: "Tags",
  authorIds: "Authors",
  featured: "Featured",
  seo: "Search and social",
  fields: "Custom fields",
  publishedAt: "Publish date",
};

/** Any value as text that can be compared and copied. */
export const asText = (value: unknown): string =>
  typeof value === "string" ? value : value === null || value === undefined ? "" : JSON.stringify(value, null, 2);
