import type { PostJson } from "@stet/contract";

/** A post as one Markdown text: what a reader of the page would see first, as front matter, then the body as it was written. */
export function markdownDocument(post: PostJson): string {
  const names = (terms: readonly { readonly name: string }[]) => terms.map((term) => term.name);
  const facts: readonly (readonly [string, string | readonly string[] | undefined])[] = [
    ["title", post.title],
    ["id", post.id],
    ["slug", post.slug],
    ["slugRedirectedFrom", post.slugRedirectedFrom],
    ["excerpt", post.excerpt],
    ["authors", names(post.authors)],
    ["categories", names(post.categories)],
    ["tags", names(post.tags)],
    ["coverImage", post.coverImage?.url],
    ["publishedAt", post.publishedAt],
    ["updatedAt", post.updatedAt],
  ];
  const lines = facts.filter(([, value]) => value !== undefined && value.length > 0).map(([name, value]) => `${name}: ${yaml(value)}`);
  return `---\n${lines.join("\n")}\n---\n\n${post.body.markdown ?? ""}`;
}

/** JSON is YAML. These three line breaks of Unicode are the exception: YAML folds them. */
const yaml = (value: unknown): string =>
  JSON.stringify(value).replaceAll(/[\u0085\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
