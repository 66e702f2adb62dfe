import { type Client, createClient, StetError } from "@stet/client";
import { syncPosts } from "@stet/client/sync";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ERRORS } from "@stet/contract";
import { fail } from "#domain/failure";
import { registry } from "#operations/registry";
import { type Blog, openService, type Service, startNode } from "#test/delivery-api/service";

let service: Service;
let blog: Blog;
beforeAll(async () => {
  service = await openService();
  blog = await service.blog();
});
afterAll(() => service.stop());

/** Its waits let the service's clock go on, which knows whole milliseconds. */
const clientFor = (options: Partial<Parameters<typeof createClient>[0]> = {}): Client =>
  createClient(
    { apiKey: blog.key, url: service.url, ...options },
    { now: () => service.services.now.getTime(), sleep: async (millis) => service.services.pass(Math.ceil(millis)) },
  );
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.catch((error: unknown) => StetError.is(error) && `${error.status} ${error.code}`);

test("while the content store is away readers see the old page, but a sync fails and begins again where it began", async () => {
  const post = await blog.write.post("Before");
  const client = clientFor();
  const site = new Map<string, string>();
  const sync = (cursor: string | null) =>
    syncPosts(client, { cursor, onPost: ({ id, title }) => site.set(id, title), onRemoved: (id) => site.delete(id) });
  const { cursor } = await sync(null);
  await blog.write.revise(post, { title: "After" });
  const { posts } = service.services.contentOf(blog.tenant.website);
  const { getLive } = posts;
  posts.getLive = () => Promise.reject(fail("CONTENT_STORE_UNAVAILABLE", "Try again in a few seconds."));
  try {
    // The list of changes is in another database, and tells of the update; the node still has the post as it was.
    expect((await client.posts.findById(post.id))!.title).toBe("Before");
    expect(await codeOf(sync(cursor))).toBe("503 CONTENT_STORE_UNAVAILABLE");
    expect(await codeOf(client.posts.findBySlug("never-asked-for"))).toBeNull();
  } finally {
    posts.getLive = getLive;
  }
  expect(site.get(post.id)).toBe("Before");
  service.services.pass(5_000);
  await sync(cursor);
  expect(site.get(post.id)).toBe("After");
});

test("a bucket that another program emptied is waited for, as long as the service says", async () => {
  const free = await service.blog({ plan: "free" });
  const statuses = new Set<number>();
  for (let n = 0; n < 60; n++) statuses.add((await free.get("/blog/website")).status);
  expect([...statuses]).toEqual([200, 429]);
  const before = service.services.now.getTime();
  expect((await clientFor({ apiKey: free.key }).website()).id).toBe(free.tenant.website.id);
  expect(service.services.now.getTime() - before).toBeGreaterThanOrEqual(200);
  await service.services.platform.workspaces.setPlan(free.tenant.workspace.id, "team");
});

test("every error code arrives as it is, with its status, and only those that pass are tried again", async () => {
  for (const [code, { status }] of Object.entries(ERRORS)) {
    let asked = 0;
    const answer = async () => {
      asked += 1;
      const headers = { "Content-Type": "application/problem+json", "X-Request-Id": "req_1" };
      return new Response(JSON.stringify({ status, code, detail: "What to do." }), { status, headers });
    };
    expect(await codeOf(clientFor({ fetch: answer }).posts.list())).toBe(`${status} ${code}`);
    const isPassing = (status === 429 || status >= 500) && code !== "QUOTA_EXCEEDED";
    expect([code, asked]).toEqual([code, isPassing ? 4 : 1]);
  }
});

test("a revoked key is refused without trying again; another key goes on with what the first one cached", async () => {
  const statuses: number[] = [];
  const noting = async (url: string, init: RequestInit) => {
    const response = await fetch(url, init);
    statuses.push(response.status);
    return response;
  };
  const websiteId = blog.tenant.website.id;
  const { key, record } = await service.services.call(registry.create_key, blog.tenant.actor, { websiteId, name: "Old" });
  const options = { cache: new Map<string, { etag: string; body: string }>(), fetch: noting };
  const first = await clientFor({ ...options, apiKey: key }).posts.list();
  await service.services.call(registry.revoke_key, blog.tenant.actor, { websiteId, keyId: record.id });
  expect(await codeOf(clientFor({ ...options, apiKey: key }).posts.list())).toBe("401 INVALID_API_KEY");
  expect(await clientFor(options).posts.list()).toEqual(first);
  expect(statuses).toEqual([200, 401, 304]);
});

test("a preview of a published post shows its next version, everybody else the live one, until it is published", async () => {
  const post = await blog.write.post("Live words", { slug: "words" });
  const edited = await blog.write.edit(post, { title: "Next words", slug: "next-words" });
  const { token } = await service.services.call(registry.create_preview, blog.tenant.actor, {
    websiteId: blog.tenant.website.id,
    postId: post.id,
  });
  const client = clientFor();
  expect(await client.preview(token)).toMatchObject({ title: "Next words", slug: "next-words", status: "published" });
  expect(await client.posts.findBySlug("words")).toMatchObject({ title: "Live words" });
  expect(await client.posts.findBySlug("next-words")).toBeNull();
  await blog.write.update(edited);
  expect(await client.posts.findBySlug("words")).toMatchObject({ title: "Next words", slugRedirectedFrom: "words" });
});

test("pages, cursors and fingerprints of one node go on at another", async () => {
  const other = await startNode(service.services);
  const tag = await blog.write.term("tag", "Bread");
  for (let n = 0; n < 5; n++) await blog.write.post(`Paged ${n}`, { tagIds: [tag.id] });
  let asked = 0;
  // As behind a proxy that sends each request to the next node.
  const turn = (url: string, init: RequestInit) => fetch(asked++ % 2 === 0 ? url : url.replace(service.url, other.url), init);
  const client = clientFor({ fetch: turn, concurrency: 1 });
  const titles: string[] = [];
  for await (const { title } of client.posts.all({ limit: 2, tag: "bread" })) titles.push(title);
  expect(titles.toSorted()).toEqual(Array.from({ length: 5 }, (_, n) => `Paged ${n}`));
  const ignore = { onPost: () => {}, onRemoved: () => {} };
  const { cursor } = await syncPosts(client, { cursor: null, ...ignore });
  for (let n = 0; n < 2; n++)
    expect(await syncPosts(client, { cursor, ...ignore })).toMatchObject({ cursor, changed: false, reset: false });
  await blog.write.editTerm(tag, { name: "Loaves" });
  const names = new Set<string>();
  const renamed = await syncPosts(client, { cursor, ...ignore, onSummary: ({ tags }) => tags.forEach(({ name }) => names.add(name)) });
  expect([renamed.changed, renamed.reset, [...names]]).toEqual([true, false, ["Loaves"]]);
  await other.stop();
});
