import { mostRead, pagination, postViews } from "@stet/contract";
import { beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { Failure } from "#domain/failure";
import { newId, type PostId } from "#domain/ids";
import { DAY, timestamp } from "#domain/time";
import { registry } from "#operations/registry";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestServices, type Tenant } from "#test/services";
import type { ReadRoute } from "./read-route.ts";
import { NOT_KEPT } from "./ready-posts.ts";
import { getPostViews, listMostRead } from "./views.ts";

const services = closedAtEnd(await openTestServices());
let tenant: Tenant;
beforeEach(async () => {
  tenant = await services.makeTenant();
});

async function ask(readRoute: ReadRoute, params: Record<string, string>, query: Record<string, string> = {}): Promise<unknown> {
  const { website, workspace } = tenant;
  const parsed = Object.fromEntries(Object.entries(query).map(([name, raw]) => [name, readRoute.query[name]!(raw)]));
  const delivery = { ...services, publicUrl: services.settings.publicUrl };
  const context = { services: delivery, website, workspace, content: services.contentOf(website), readyPosts: NOT_KEPT, now: services.now };
  const answer = await readRoute.run(context, params, parsed, false);
  if (answer.kind !== "json") throw new Error("not JSON");
  return answer.value;
}

const page = z.strictObject({ data: z.array(mostRead), pagination });
const most = async (query: Record<string, string> = {}) => page.parse(await ask(listMostRead, {}, query));

async function publish(title: string) {
  const websiteId = tenant.website.id;
  const draft = await services.call(registry.create_post, tenant.actor, { websiteId, title, body: "Words." });
  const live = await services.call(registry.publish_post, tenant.actor, { websiteId, postId: draft.id, expectedVersion: draft.version });
  return { id: live.id, slug: live.working.slug, version: live.version };
}

async function read(postId: PostId, times: number, daysAgo = 0): Promise<void> {
  const at = timestamp(services.now.getTime() - daysAgo * DAY);
  await services.readers.add(
    Array.from({ length: times }, (_, i) => ({
      websiteId: tenant.website.id,
      postId,
      at,
      referrer: null,
      visitors: [`${daysAgo} ${i}`] as const,
    })),
  );
}

test("the numbers of one post: the last 7, 30 and 90 days with today, and all", async () => {
  const post = await publish("Read often");
  await read(post.id, 1);
  await read(post.id, 1, 6);
  await read(post.id, 1, 7);
  await read(post.id, 1, 29);
  await read(post.id, 1, 89);
  await read(post.id, 1, 90);
  const expected = { data: { postId: post.id, views: { "7d": 2, "30d": 4, "90d": 5, all: 6 } } };
  for (const name of [post.id, post.slug]) {
    const answer = await ask(getPostViews, { slugOrId: name });
    expect(answer).toEqual(expected);
    z.strictObject({ data: postViews }).parse(answer);
  }
});

test("a post nobody read has zeros; one that is not published does not exist", async () => {
  const post = await publish("New");
  expect(await ask(getPostViews, { slugOrId: post.slug })).toEqual({
    data: { postId: post.id, views: { "7d": 0, "30d": 0, "90d": 0, all: 0 } },
  });
  const draft = await services.call(registry.create_post, tenant.actor, { websiteId: tenant.website.id, title: "Draft", body: "" });
  await read(draft.id, 3);
  for (const name of [draft.id, "draft", "nothing"])
    await expect(ask(getPostViews, { slugOrId: name })).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("the most read posts come first, each period by its own numbers; 30 days without one", async () => {
  const [old, fresh] = [await publish("Old"), await publish("Fresh")];
  await read(old.id, 9, 60);
  await read(old.id, 1);
  await read(fresh.id, 3);
  const titles = async (query: Record<string, string>) => (await most(query)).data.map(({ post, views }) => [post.title, views]);
  expect(await titles({ period: "7d" })).toEqual([
    ["Fresh", 3],
    ["Old", 1],
  ]);
  expect(await titles({ period: "90d" })).toEqual([
    ["Old", 10],
    ["Fresh", 3],
  ]);
  expect(await titles({ period: "all" })).toEqual([
    ["Old", 10],
    ["Fresh", 3],
  ]);
  expect(await titles({})).toEqual(await titles({ period: "30d" }));
});

test("pages follow each other by cursor: every published post once, others passed over", async () => {
  const posts = [];
  for (let i = 0; i < 9; i++) {
    const post = await publish(`Post ${i}`);
    await read(post.id, 1 + (i % 3));
    posts.push(post);
  }
  for (const { id, version } of [posts[2]!, posts[5]!, posts[8]!]) {
    await services.call(registry.unpublish_post, tenant.actor, { websiteId: tenant.website.id, postId: id, expectedVersion: version });
  }
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const { data, pagination: state }: z.infer<typeof page> = await most({ limit: "2", ...(cursor && { cursor }) });
    expect(state.limit).toBe(2);
    expect(state.hasNext).toBe(state.nextCursor !== null);
    seen.push(...data.map(({ post, views }) => `${post.title} ${views}`));
    cursor = state.nextCursor;
  } while (cursor);
  expect(seen).toEqual(["Post 1 2", "Post 4 2", "Post 7 2", "Post 0 1", "Post 3 1", "Post 6 1"]);
});

test("posts that were read and are no longer there are passed over together, however short the page", async () => {
  const post = await publish("Still there");
  await read(post.id, 1);
  for (let i = 0; i < 30; i++) await read(newId("post"), 2);
  const asked = vi.spyOn(services.readers, "mostRead");
  try {
    const { data, pagination: state } = await most({ limit: "1", period: "all" });
    expect(data.map(({ post: { title } }) => title)).toEqual(["Still there"]);
    expect(state.hasNext).toBe(false);
    expect(asked).toHaveBeenCalledOnce();
  } finally {
    asked.mockRestore();
  }
});

test("a website sees its own readers only", async () => {
  const post = await publish("Mine");
  await read(post.id, 2);
  tenant = await services.makeTenant();
  expect((await most()).data).toEqual([]);
  await expect(ask(getPostViews, { slugOrId: post.id })).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test.each(["1d", "", "7D", "30", "ALL"])("period %j is refused", async (period) => {
  await expect(most({ period })).rejects.toMatchObject({ code: "INVALID_PARAMETER" });
});

test("a cursor of another period, or an altered one, is refused", async () => {
  for (let i = 0; i < 3; i++) await read((await publish(`P${i}`)).id, 1);
  const { nextCursor } = (await most({ limit: "1", period: "7d" })).pagination;
  await expect(most({ cursor: nextCursor!, period: "30d" })).rejects.toMatchObject({ code: "INVALID_CURSOR" });
  const content = JSON.parse(Buffer.from(nextCursor!, "base64url").toString()) as Record<string, unknown>;
  for (const k of ["-1", "0", "1e9", "x", "99999999999999999999", ""]) {
    const altered = Buffer.from(JSON.stringify({ ...content, k })).toString("base64url");
    const refused = await most({ cursor: altered, period: "7d" }).catch((error: unknown) => error);
    expect(refused, k).toBeInstanceOf(Failure);
    expect(refused).toMatchObject({ code: "INVALID_CURSOR" });
  }
});
