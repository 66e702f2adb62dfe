import { registry } from "#operations/registry";
import type { PostView } from "#operations/posts/helpers/post-view";
import type { TermView } from "#operations/terms/helpers/term-view";
import { distinctImage } from "#test/images";
import type { Tenant, TestServices } from "#test/services";

type Fields = Record<string, unknown>;

/** Writes into a website as its owner does, in few words. */
export function writingIn(services: TestServices, { actor, website }: Tenant) {
  const here = { websiteId: website.id };
  const on = (post: PostView) => ({ ...here, postId: post.id, expectedVersion: post.version });
  let images = 0;
  const write = {
    draft: (title: string, fields: Fields = {}): Promise<PostView> =>
      services.call(registry.create_post, actor, { ...here, title, ...fields }),
    edit: (post: PostView, fields: Fields): Promise<PostView> => services.call(registry.edit_post, actor, { ...on(post), ...fields }),
    publish: (post: PostView): Promise<PostView> => services.call(registry.publish_post, actor, on(post)),
    update: (post: PostView): Promise<PostView> => services.call(registry.update_live_post, actor, on(post)),
    unpublish: (post: PostView): Promise<PostView> => services.call(registry.unpublish_post, actor, on(post)),
    trash: (post: PostView): Promise<PostView> => services.call(registry.delete_post, actor, on(post)),
    schedule: (post: PostView, at: string): Promise<PostView> => services.call(registry.schedule_post, actor, { ...on(post), at }),
    /** Written and published. */
    post: async (title: string, fields: Fields = {}): Promise<PostView> => write.publish(await write.draft(title, fields)),
    /** Edited and brought live. */
    revise: async (post: PostView, fields: Fields): Promise<PostView> => write.update(await write.edit(post, fields)),
    term: (kind: "category" | "tag" | "author", name: string, fields: Fields = {}): Promise<TermView> =>
      services.call(registry.create_term, actor, { ...here, kind, name, ...fields }),
    editTerm: (term: TermView, fields: Fields): Promise<TermView> =>
      services.call(registry.edit_term, actor, { ...here, termId: term.id, expectedVersion: term.version, ...fields }),
    merge: (source: TermView, target: TermView) =>
      services.call(registry.merge_terms, actor, { ...here, sourceId: source.id, targetId: target.id }),
    deleteTerm: (term: TermView) => services.call(registry.delete_term, actor, { ...here, termId: term.id }),
    image: (filename: string, fields: Fields = {}) =>
      services.call(registry.add_media, actor, { ...here, bytes: distinctImage(images++), filename, ...fields }),
    deleteImage: (mediaId: string) => services.call(registry.delete_media, actor, { ...here, mediaId, evenIfUsed: true }),
    async settings(settings: Fields): Promise<void> {
      const { version } = await services.call(registry.get_website, actor, here);
      await services.call(registry.update_website, actor, { ...here, expectedVersion: version, settings });
    },
  };
  return write;
}

export type Writing = ReturnType<typeof writingIn>;
