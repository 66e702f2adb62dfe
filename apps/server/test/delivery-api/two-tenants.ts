import { POST_SORTS } from "@stet/contract";
import { registry } from "#operations/registry";
import type { Blog, Service } from "./service.ts";

/** Stands in everything the other tenant wrote, and in nothing of ours. */
export const MARK = "zqxforeign";

export interface TwoTenants {
  readonly mine: Blog;
  /** Ids, slugs and cursors of the other tenant. */
  readonly foreign: readonly string[];
  readonly ownCursors: readonly string[];
}

/** Two websites with something of everything; what one of them holds is marked. */
export async function makeTwoTenants(service: Service): Promise<TwoTenants> {
  const [mine, theirs] = [await service.blog(), await service.blog()];
  for (const blog of [mine, theirs]) {
    const word = blog === theirs ? MARK : "ours";
    await blog.write.settings({ publicUrl: `https://${word}.example`, title: word });
    const [category, tag, author] = [
      await blog.write.term("category", `${word} category`),
      await blog.write.term("tag", `${word} tag`),
      await blog.write.term("author", `${word} author`),
    ];
    const image = await blog.write.image(`${word}.png`);
    for (const n of [1, 2, 3]) {
      service.services.pass(1_000);
      await blog.write.post(`${word} post ${n}`, {
        body: `${word} body`,
        categoryIds: [category.id],
        tagIds: [tag.id],
        authorIds: [author.id],
        coverMediaId: image.id,
      });
    }
    await blog.write.draft(`${word} draft`, { body: `${word} draft body` });
  }
  const ownCursors = (await everythingNamed(service, mine)).filter((name) => name.length > 60);
  return { mine, foreign: await everythingNamed(service, theirs), ownCursors };
}

async function everythingNamed(service: Service, blog: Blog): Promise<string[]> {
  const names: string[] = [blog.tenant.website.id, blog.tenant.workspace.id, blog.tenant.owner.id];
  const lists = ["posts", "categories", "tags", "authors", "media"].map((name) => `/blog/${name}?limit=1`);
  for (const path of [...lists, ...POST_SORTS.map((sort) => `/blog/posts?limit=1&sort=${sort}`), "/blog/search?q=post&limit=1"]) {
    const { data, pagination } = (await blog.get(path)).json;
    for (const item of data) names.push(...[item.id, item.slug].filter(Boolean));
    if (pagination.nextCursor) names.push(pagination.nextCursor);
  }
  names.push((await blog.get("/blog/changes")).json.cursor);
  const { items } = await service.services.call(registry.list_posts, blog.tenant.actor, {
    websiteId: blog.tenant.website.id,
    statuses: ["draft"],
  });
  for (const post of items) names.push(post.id);
  return [...new Set(names)];
}
