import { type FieldError, LIMITS } from "@stet/contract";
import { z } from "zod";
import { invalid } from "#domain/failure";
import { fieldErrors, isHttpUrl } from "#domain/fields";
import type { MediaId, TermId } from "#domain/ids";
import { isPlainObject, type JsonObject } from "#domain/json";
import type { PostContent } from "#domain/post";
import { isSlug } from "#domain/slug";
import { atMost, moment } from "../../kernel/inputs.ts";
import { idOf, type InWebsite } from "../../kernel/operation.ts";

const MAX_TERMS = 50;

const text = (max: number, unit: string) =>
  z
    .string()
    .refine(isStorable, "must be plain text without NUL or broken characters")
    .refine(atMost(max), `must be at most ${max} ${unit}`);

const url = z
  .string()
  .max(2_048)
  .refine((value) => isStorable(value) && isHttpUrl(value), "must be an http or https address")
  .nullable();
const termIds = (kind: "category" | "tag" | "author") =>
  z.array(idOf<TermId>(kind)).max(MAX_TERMS, `must have at most ${MAX_TERMS} entries`);

/** The fields that a writer can set; a field that is left out stays as it is. */
export const contentShape = {
  title: text(LIMITS.titleCharacters, "characters")
    .refine((value) => !/[\n\r]/.test(value), "must be one line")
    .optional(),
  slug: z.string().refine(isSlug, `must be 1 to ${LIMITS.slugCharacters} of a-z, 0-9 and single dashes between them`).optional(),
  excerpt: text(LIMITS.excerptCharacters, "characters").optional(),
  body: z
    .string()
    .refine(isStorable, "must be plain text without NUL or broken characters")
    .refine((value) => Buffer.byteLength(value) <= LIMITS.bodyBytes, "must be at most 1 MiB")
    .optional(),
  coverMediaId: idOf<MediaId>("media").nullable().optional(),
  coverAlt: text(500, "characters").nullable().optional(),
  categoryIds: termIds("category").optional(),
  tagIds: termIds("tag").optional(),
  authorIds: termIds("author").optional(),
  featured: z.boolean().optional(),
  seo: z
    .strictObject({
      title: text(300, "characters").nullable(),
      description: text(600, "characters").nullable(),
      canonicalUrl: url,
      ogImageUrl: url,
      noindex: z.boolean(),
    })
    .partial()
    .optional(),
  fields: z
    .custom<JsonObject>(isPlainObject, { error: "must be an object of plain JSON without NUL or broken characters, and not nested deeply" })
    .optional(),
  publishedAt: moment.nullable().optional(),
};

/** A content in which nothing is left out, as it may come from outside. */
export const wholeContent = z.strictObject({
  title: contentShape.title.unwrap(),
  slug: contentShape.slug.unwrap(),
  excerpt: contentShape.excerpt.unwrap(),
  body: contentShape.body.unwrap(),
  coverMediaId: contentShape.coverMediaId.unwrap(),
  coverAlt: contentShape.coverAlt.unwrap(),
  categoryIds: contentShape.categoryIds.unwrap(),
  tagIds: contentShape.tagIds.unwrap(),
  authorIds: contentShape.authorIds.unwrap(),
  featured: contentShape.featured.unwrap(),
  seo: contentShape.seo.unwrap().required(),
  fields: contentShape.fields.unwrap(),
  publishedAt: contentShape.publishedAt.unwrap(),
});

export type ContentPatch = z.infer<z.ZodObject<typeof contentShape>>;

export const EMPTY_CONTENT: Omit<PostContent, "slug"> = {
  title: "",
  excerpt: "",
  body: "",
  coverMediaId: null,
  coverAlt: null,
  categoryIds: [],
  tagIds: [],
  authorIds: [],
  featured: false,
  seo: { title: null, description: null, canonicalUrl: null, ogImageUrl: null, noindex: false },
  fields: {},
  publishedAt: null,
};

/** The content with the patch applied, after everything it names was found in this website. */
export async function applyPatch(context: InWebsite, content: PostContent, patch: ContentPatch): Promise<PostContent> {
  const errors: FieldError[] = patch.fields ? fieldErrors(context.website.fieldDefinitions, patch.fields) : [];
  const [categoryIds, tagIds, authorIds] = await Promise.all([
    resolveTerms(context, "categoryIds", content, patch, errors),
    resolveTerms(context, "tagIds", content, patch, errors),
    resolveTerms(context, "authorIds", content, patch, errors),
  ]);
  if (patch.coverMediaId) {
    const media = await context.content.media.get(context.website.id, patch.coverMediaId);
    if (!media || media.deletedAt) errors.push({ field: "coverMediaId", message: "is not an image of this website" });
  }
  if (errors.length > 0) throw invalid(errors);
  const given = Object.fromEntries(Object.entries(patch).filter(([key, value]) => value !== undefined && key in content));
  return {
    ...content,
    ...given,
    categoryIds: categoryIds ?? content.categoryIds,
    tagIds: tagIds ?? content.tagIds,
    authorIds: authorIds ?? content.authorIds,
    seo: { ...content.seo, ...(patch.seo as Partial<PostContent["seo"]> | undefined) },
  };
}

const KIND = { categoryIds: "category", tagIds: "tag", authorIds: "author" } as const;

/**
 * Each id once, in the order given; one that was merged becomes its target. One that the post has already can stay though it was deleted:
 * nobody sees it, the writer cannot know, and it is the term again where the deletion is undone.
 */
async function resolveTerms(
  context: InWebsite,
  field: keyof typeof KIND,
  content: PostContent,
  { [field]: ids }: ContentPatch,
  errors: FieldError[],
): Promise<readonly TermId[] | undefined> {
  if (!ids || ids.length === 0) return ids;
  const terms = new Map((await context.content.terms.getMany(context.website.id, ids)).map((term) => [term.id, term]));
  const unknown = ids.filter((id) => terms.get(id)?.kind !== KIND[field] && (terms.has(id) || !content[field].includes(id)));
  if (unknown.length > 0) errors.push({ field, message: `contains unknown entries: ${unknown.join(", ")}` });
  return [...new Set(ids.map((id) => terms.get(id)?.mergedInto ?? id))];
}

function isStorable(value: string): boolean {
  return value.isWellFormed() && !value.includes("\u0000");
}
