import { z } from "zod";
import type { PostContent } from "#domain/post";
import { flag, jsonObject, line, listOf, mediaId, moment, optional, optionalDate, termId, webAddress } from "./schemas.ts";

/** The content of a post without the body: bodies lie beside it, so that lists can leave them out. */
export type ContentHead = Omit<PostContent, "body">;

export const contentHead: z.ZodType<ContentHead> = z.object({
  title: line,
  slug: line,
  excerpt: line,
  coverMediaId: optional(mediaId),
  coverAlt: optional(line),
  categoryIds: listOf(termId),
  tagIds: listOf(termId),
  authorIds: listOf(termId),
  featured: flag,
  seo: z.object({
    title: optional(line),
    description: optional(line),
    canonicalUrl: webAddress,
    ogImageUrl: webAddress,
    noindex: flag,
  }),
  fields: jsonObject(200_000),
  publishedAt: optional(moment),
});

export function toContentDocument({ body: _, ...head }: PostContent): Record<string, unknown> {
  return { ...head, fields: JSON.stringify(head.fields), publishedAt: optionalDate(head.publishedAt) };
}
