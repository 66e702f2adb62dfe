/** A post without a title is listed as "Untitled". */
export const titleOf = (post: { readonly working: { readonly title: string } }): string => post.working.title.trim() || "Untitled";
