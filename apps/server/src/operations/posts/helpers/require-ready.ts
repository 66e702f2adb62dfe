import type { FieldError } from "@stet/contract";
import { invalid } from "#domain/failure";
import { missingFields } from "#domain/fields";
import type { Post } from "#domain/post";
import type { Website } from "#domain/website";

/** Requires everything that a post needs before readers see it; a draft may lack all of it. */
export function requireReady(website: Website, post: Post): void {
  const errors = notReady(website, post);
  if (errors.length > 0) throw invalid(errors);
}

export function notReady(website: Website, post: Post): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (post.working.title.trim() === "") errors.push({ field: "title", message: "is required before the post can be published" });
  errors.push(...missingFields(website.fieldDefinitions, post.working.fields));
  return errors;
}
