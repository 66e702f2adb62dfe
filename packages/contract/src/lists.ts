/** Closed lists of the public interface. Everything that can be one of a few things is named here once. */

export const POST_STATUSES = ["draft", "scheduled", "published", "unpublished", "deleted"] as const;
export type PostStatus = (typeof POST_STATUSES)[number];

export const POST_SORTS = ["-publishedAt", "publishedAt", "-createdAt", "createdAt", "-updatedAt", "updatedAt", "title", "-title"] as const;
export type PostSort = (typeof POST_SORTS)[number];
export const DEFAULT_POST_SORT: PostSort = "-publishedAt";

export const EVENT_TYPES = ["post.published", "post.updated", "post.unpublished", "post.deleted"] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const ROLES = ["owner", "admin", "editor", "author", "contributor"] as const;
export type Role = (typeof ROLES)[number];

/** The plans of a host, the smallest first. An owner chooses among them. */
export const HOSTED_PLAN_NAMES = ["free", "starter", "team"] as const;
export type HostedPlanName = (typeof HOSTED_PLAN_NAMES)[number];
/** `unlimited` is for one's own server: only the person who runs the server gives it to a workspace. */
export const PLAN_NAMES = [...HOSTED_PLAN_NAMES, "unlimited"] as const;
export type PlanName = (typeof PLAN_NAMES)[number];

export const TERM_KINDS = ["category", "tag", "author"] as const;
export type TermKind = (typeof TERM_KINDS)[number];

export const FIELD_TYPES = ["text", "number", "boolean", "date", "url", "select", "json"] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** Limits of single values. Over: 422 naming the field. */
export const LIMITS = {
  titleCharacters: 300,
  excerptCharacters: 600,
  bodyBytes: 1024 * 1024,
  fieldsBytes: 16 * 1024,
  slugCharacters: 96,
  pageSizeDefault: 25,
  pageSizeMax: 100,
} as const;

/** The variants of an image: `?w=`, `?ar=` and `?fm=` of its address. */
export const IMAGE_WIDTHS = [160, 320, 480, 640, 800, 960, 1280, 1600, 1920, 2560] as const;
export const IMAGE_RATIOS = ["1:1", "4:3", "3:2", "16:9", "2:1", "3:4", "2:3", "9:16"] as const;
export const IMAGE_FORMATS = ["webp", "jpeg"] as const;
