import { z } from "zod";
import type { WebsiteId } from "#domain/ids";
import { momentOf } from "./shapes.ts";
import { termIdsOf } from "./terms.ts";
import type { ToolRun } from "./tool-run.ts";

const terms = z.array(z.string()).max(50).optional();

/** The fields that a writer can set, in the words of the tools: terms by id or name, an image by its id. */
export const postShape = {
  title: z.string().max(300).optional(),
  slug: z.string().max(96).optional().describe("a-z, 0-9 and dashes; created from the title if left out"),
  excerpt: z.string().max(600).optional(),
  categories: terms.describe("Ids or names; replaces all"),
  tags: terms.describe("Ids or names; replaces all"),
  authors: terms.describe("Ids or names; replaces all"),
  featured: z.boolean().optional(),
  coverImage: z.string().nullable().optional().describe("media_… id, or null for none"),
  coverAlt: z.string().nullable().optional(),
  seo: z
    .strictObject({
      title: z.string().nullable(),
      description: z.string().nullable(),
      canonicalUrl: z.string().nullable(),
      ogImageUrl: z.string().nullable(),
      noindex: z.boolean(),
    })
    .partial()
    .optional(),
  fields: z.record(z.string(), z.unknown()).optional().describe("Custom fields by key (get_context); replaces all"),
  publishedAt: z.string().nullable().optional().describe("ISO 8601; only to backdate"),
};

type PostInput = z.infer<z.ZodObject<typeof postShape>> & { body?: string | undefined };

/** The same as the operations take it. */
export async function contentOf(call: ToolRun, websiteId: WebsiteId, input: PostInput): Promise<object> {
  const { categories, tags, authors, coverImage, publishedAt, ...rest } = input;
  const [categoryIds, tagIds, authorIds] = await Promise.all([
    termIdsOf(call, websiteId, "category", categories),
    termIdsOf(call, websiteId, "tag", tags),
    termIdsOf(call, websiteId, "author", authors),
  ]);
  const patch = {
    ...rest,
    categoryIds,
    tagIds,
    authorIds,
    coverMediaId: coverImage,
    publishedAt: publishedAt ? momentOf("publishedAt", publishedAt) : publishedAt,
  };
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
}
