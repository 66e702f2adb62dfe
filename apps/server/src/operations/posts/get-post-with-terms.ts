import type { TermId } from "#domain/ids";
import type { PostContent } from "#domain/post";
import { loadTerms, type Terms } from "#present/terms";
import { postOperation } from "../kernel/operation.ts";
import { type OpenPost, openView } from "./helpers/post-view.ts";

interface Named {
  readonly id: TermId;
  readonly name: string;
}

/** The terms of one copy of a post, by name. Merged ones are shown as what they were merged into, deleted ones not at all. */
export interface TermNames {
  readonly categories: readonly Named[];
  readonly tags: readonly Named[];
  readonly authors: readonly Named[];
}

export interface PostWithTerms {
  readonly post: OpenPost;
  readonly terms: { readonly working: TermNames; readonly live: TermNames | null };
}

export const getPostWithTerms = postOperation({
  name: "get_post_with_terms",
  summary: "Read a post together with the names of its categories, tags and authors.",
  permission: "post.read",
  input: {},
  async run({ post, website, content, services }): Promise<PostWithTerms> {
    const view = openView(post);
    const live = view.live?.content ?? null;
    const source = { websiteId: post.websiteId, content, websiteUrl: website.settings.publicUrl, publicUrl: services.settings.publicUrl };
    const terms = await loadTerms(source, [...termIdsOf(view.working), ...(live ? termIdsOf(live) : [])]);
    return { post: view, terms: { working: namesOf(terms, view.working), live: live && namesOf(terms, live) } };
  },
  activity: "none",
});

const termIdsOf = ({ categoryIds, tagIds, authorIds }: PostContent): readonly TermId[] => [...categoryIds, ...tagIds, ...authorIds];

function namesOf(terms: Terms, { categoryIds, tagIds, authorIds }: PostContent): TermNames {
  const named = (kind: "category" | "tag" | "author", ids: readonly TermId[]) => terms.of(kind, ids).map(({ id, name }) => ({ id, name }));
  return { categories: named("category", categoryIds), tags: named("tag", tagIds), authors: named("author", authorIds) };
}
