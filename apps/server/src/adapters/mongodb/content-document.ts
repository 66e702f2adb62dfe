import { z } from "zod";
import type { PostContent } from "#domain/post";
import { flag, jsonObject, mediaId, moment, optional, optionalDate, termId, text } from "./schemas.ts";

/** The content of a post without the body: bodies lie beside it, so that lists can leave them out. */
export type ContentHead = Omit<PostContent, "body">;

export const contentHead: z.ZodType<ContentHead> = z.object({
  title: text,
  slug: text,
  excerpt: text,
  coverMediaId: optional(mediaId),
  coverAlt: optional(text),
  categoryIds: z.array(termId),
  tagIds: z.array(termId),
  authorIds: z.array(termId),
  featured: flag,
  seo: z.object({
    title: optional(text),
    description: optional(text),
    canonicalUrl: optional(text),
    ogImageUrl: optional(text),
    noindex: flag,
  }),
  fields: jsonObject,
  publishedAt: optional(moment),
});

export function toContentDocument({ body: _, ...head }: PostContent): Record<string, unknown> {
  return { ...head, fields: JSON.stringify(head.fields), publishedAt: optionalDate(head.publishedAt) };
}
