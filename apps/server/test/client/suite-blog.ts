import { plansWith } from "#domain/plans";
import { registry } from "#operations/registry";
import { type Blog, openService, type Service } from "#test/delivery-api/service";

type Fields = Record<string, unknown>;

/** A blog with posts, terms, an image and a renamed post, and what the suite does to it. A test in another runtime reaches it over HTTP. */
export interface SuiteBlog {
  readonly url: string;
  readonly key: string;
  readonly websiteId: string;
  /** Published; answers its id. */
  post(title: string, fields?: Fields): Promise<string>;
  unpublish(id: string): Promise<void>;
  /** The token of a draft's preview. */
  previewOf(title: string, fields?: Fields): Promise<string>;
  makeKey(fields: Fields): Promise<string>;
  /** A key of a website on the Free plan. */
  freeKey(): Promise<string>;
  close(): Promise<void>;
}

export async function openSuiteBlog(): Promise<SuiteBlog> {
  const service: Service = await openService({ plans: plansWith({ team: { ratePerSecond: 1_000_000, burst: 1_000_000 } }) });
  const blog: Blog = await service.blog({ plan: "team" });
  const { write, tenant } = blog;
  const websiteId = tenant.website.id;
  await write.settings({ publicUrl: "https://example.com/blog", title: "Field notes", language: "en" });
  const [category, tag, author] = [
    await write.term("category", "News"),
    await write.term("tag", "Bread"),
    await write.term("author", "Ada"),
  ];
  const image = await write.image("loaf.png");
  const terms = { categoryIds: [category.id], tagIds: [tag.id], authorIds: [author.id] };
  for (let n = 0; n < 7; n++) {
    await write.post(`Post ${n}`, { body: `## Part\n\nNumber ${n}`, coverMediaId: image.id, ...terms });
    service.services.pass(1_000);
  }
  await write.revise(await write.post("Renamed", { slug: "once" }), { slug: "now" });
  return {
    url: service.url,
    key: blog.key,
    websiteId,
    post: async (title, fields) => (await write.post(title, fields)).id,
    async unpublish(id) {
      await write.unpublish(await service.services.call(registry.get_post, tenant.actor, { websiteId, postId: id }));
    },
    async previewOf(title, fields) {
      const { id } = await write.draft(title, fields);
      return (await service.services.call(registry.create_preview, tenant.actor, { websiteId, postId: id })).token;
    },
    makeKey: (fields) => blog.makeKey(fields),
    freeKey: async () => (await service.blog({ plan: "free" })).key,
    close: () => service.stop(),
  };
}
