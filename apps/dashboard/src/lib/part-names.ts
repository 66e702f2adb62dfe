import { spacedWords } from "./format.ts";

/** Names of the parts of a post, for use in a sentence. */
export const POST_PART_NAMES = {
  title: "title",
  slug: "address",
  excerpt: "excerpt",
  body: "text",
  coverMediaId: "cover image",
  coverAlt: "cover alt text",
  categoryIds: "categories",
  tagIds: "tags",
  authorIds: "authors",
  featured: "featured",
  seo: "search and social",
  fields: "custom fields",
  publishedAt: "publish date",
} as const;

/** Names of the settings of a website, for use in a sentence. */
export const SETTING_NAMES = {
  name: "name",
  title: "title",
  description: "description",
  language: "language",
  timeZone: "time zone",
  publicUrl: "public address",
  previewUrl: "preview address",
  styleGuide: "style guide",
  holdToolChanges: "hold AI changes",
} as const;

/** Names of the parts of an author and of an image that other things do not have. */
const OTHER_NAMES = {
  profile: "profile",
  filename: "file name",
  alt: "alt text",
  focalPoint: "focal point",
  crop: "crop",
  rotation: "rotation",
} as const;

const NAMES: Readonly<Record<string, string>> = { ...POST_PART_NAMES, ...SETTING_NAMES, ...OTHER_NAMES };

/** The name of a part or a setting. A newer server may send a key without a name here: its own words are shown then. */
export const partName = (key: string): string => NAMES[key] ?? spacedWords(key);
