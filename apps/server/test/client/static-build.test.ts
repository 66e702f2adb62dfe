import { createHash } from "node:crypto";
import { createClient } from "@stet/client";
import { stetLoader } from "@stet/client/astro";
import { syncPosts } from "@stet/client/sync";
import { afterAll, beforeAll, expect, test } from "vitest";
import { plansWith } from "#domain/plans";
import { buildContent, buildPublishedPost, testId } from "#test/builders";
import { type Blog, openService, type Service } from "#test/delivery-api/service";

const POSTS = 1_000;
let service: Service;
let blog: Blog;
beforeAll(async () => {
  service = await openService({ plans: plansWith({}) });
  blog = await service.blog({ plan: "free" });
  const { website } = blog.tenant;
  const { posts } = service.services.contentOf(website);
  for (let n = 0; n < POSTS; n += 20) {
    const some = Array.from({ length: 20 }, (_, m) => n + m);
    await Promise.all(
      some.map((m) =>
        posts.insert(buildPublishedPost(m, { websiteId: website.id, working: buildContent(m, { slug: `post-${m}` }) }), { visible: true }),
      ),
    );
  }
});
afterAll(() => service.stop());

/** A client whose waits let the service's clock go on; what was answered, and how long it waited. */
function watchedClient({ key }: Blog) {
  const statuses: number[] = [];
  let waited = 0;
  const time = {
    now: () => service.services.now.getTime(),
    async sleep(millis: number) {
      waited += millis;
      service.services.pass(millis);
    },
  };
  const fetchAndNote = async (url: string, init: RequestInit) => {
    const response = await fetch(url, init);
    statuses.push(response.status);
    return response;
  };
  const options = { apiKey: key, url: service.url, fetch: fetchAndNote };
  return { client: createClient(options, time), statuses, waited: () => waited / 1_000 };
}

test("1,000 posts are read on the Free plan without a single 429, and an unchanged build makes one request", async () => {
  const { client, statuses, waited } = watchedClient(blog);
  const site = new Map<string, string>();
  const build = (cursor: string | null) =>
    syncPosts(client, {
      cursor,
      onPost: (post) => void site.set(post.id, post.title),
      onRemoved: (id) => void site.delete(id),
      onReset: (ids) => {
        for (const id of site.keys()) if (!ids.has(id)) site.delete(id);
      },
    });
  const first = await build(null);
  expect([site.size, first.read, first.reset]).toEqual([POSTS, POSTS, true]);
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  // One address has five a second of the plan's ten, after a burst of fifty.
  expect(waited()).toBeGreaterThan(150);
  expect(waited()).toBeLessThan(260);

  statuses.length = 0;
  const again = await build(first.cursor);
  expect([statuses, again.read, again.changed, again.cursor]).toEqual([[200], 0, false, first.cursor]);

  await blog.write.post("Brand new");
  const renamed = await blog.write.post("Renamed", { slug: "before" });
  await blog.write.revise(renamed, { slug: "after", title: "Renamed twice" });
  const gone = await blog.write.post("Gone");
  await blog.write.unpublish(gone);
  const told: unknown[] = [];
  const third = await syncPosts(client, {
    cursor: again.cursor,
    onPost: (post, previousSlugs) => void told.push([post.title, ...previousSlugs]),
    onRemoved: (id, slugs) => void told.push([id === gone.id, ...slugs]),
  });
  expect(told.toSorted()).toEqual([["Brand new"], ["Renamed twice", "before"], [true, "gone"]].toSorted());
  expect([third.read, third.reset]).toEqual([2, false]);
});

test("the loader for Astro keeps a collection by slug and its cursor; renamed and removed posts leave it", async () => {
  const small = await service.blog({ plan: "free" });
  const tag = await small.write.term("tag", "Bread");
  for (let n = 0; n < 5; n++) await small.write.post(`Post ${n}`, { body: "Words.", tagIds: n < 2 ? [tag.id] : [] });
  const said: string[] = [];
  const { client, statuses } = watchedClient(small);
  const entries = new Map<string, { id: string; data: Record<string, unknown>; digest?: string; rendered?: { html: string } }>();
  const meta = new Map<string, string>();
  const context = {
    store: {
      get: (id: string) => entries.get(id),
      set: (entry: { id: string; data: Record<string, unknown> }) => entries.set(entry.id, entry),
      delete: (id: string) => entries.delete(id),
      entries: () => [...entries.entries()],
    },
    meta,
    logger: { info: (message: string) => void said.push(message) },
    generateDigest: (data: Record<string, unknown>) => createHash("sha256").update(JSON.stringify(data)).digest("hex"),
    // A schema that knows three fields.
    parseData: async ({ data }: { data: Record<string, unknown> }) => ({ title: data["title"], slug: data["slug"], tags: data["tags"] }),
  };
  const { load } = stetLoader(client);
  await load(context);
  expect([entries.size, said.at(-1)]).toEqual([5, "5 posts loaded"]);
  expect(entries.get("post-1")).toMatchObject({ data: { slug: "post-1" }, rendered: { html: expect.any(String) } });
  statuses.length = 0;
  await load(context);
  expect([statuses, said.at(-1)]).toEqual([[200], "Nothing changed"]);

  // A renamed tag is in no list of changes; the posts that have it show its name, for one more request and without being read.
  await small.write.editTerm(tag, { name: "Loaves", slug: "loaves" });
  statuses.length = 0;
  await load(context);
  expect([statuses, said.at(-1)]).toEqual([[200, 200], "0 posts loaded, 2 with new names or images"]);
  expect(entries.get("post-1")).toMatchObject({
    data: { tags: [{ name: "Loaves", slug: "loaves" }] },
    rendered: { html: expect.any(String) },
  });
  statuses.length = 0;
  await load(context);
  expect([statuses, said.at(-1)]).toEqual([[200], "Nothing changed"]);

  const post = await small.write.post("To be renamed", { slug: "old-name" });
  await load(context);
  await small.write.revise(post, { slug: "new-name" });
  await load(context);
  expect([entries.has("old-name"), entries.has("new-name"), entries.size]).toEqual([false, true, 6]);
  // Another store has another history: everything is read again, and what is gone leaves the collection.
  entries.set("left-over", { id: "left-over", data: {}, digest: `${testId("post", 123_456)} 1` });
  meta.clear();
  await load(context);
  expect([entries.has("left-over"), entries.size]).toEqual([false, 6]);
});
