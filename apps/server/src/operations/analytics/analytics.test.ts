import { expect, test } from "vitest";
import { newId, type PostId } from "#domain/ids";
import { dayOf } from "#domain/reader-rules";
import { DAY, timestamp } from "#domain/time";
import { getPostViews } from "#operations/analytics/get-post-views";
import { getTraffic } from "#operations/analytics/get-traffic";
import { getViews } from "#operations/analytics/get-views";
import { getViewsOfPosts } from "#operations/analytics/get-views-of-posts";
import { createPost } from "#operations/posts/create-post";
import { publishPost } from "#operations/posts/publish-post";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestServices, type Tenant } from "#test/services";

const services = closedAtEnd(await openTestServices());

let visitors = 0;
/** So many readers, so many days ago. */
async function read({ website }: Tenant, postId: PostId, daysAgo: number, count: number, referrer: string | null = null): Promise<void> {
  const at = timestamp(services.now.getTime() - daysAgo * DAY);
  await services.readers.add(
    Array.from({ length: count }, () => ({ websiteId: website.id, postId, at, referrer, visitors: [`visitor ${++visitors}`] as const })),
  );
}

async function published(tenant: Tenant, title: string): Promise<PostId> {
  const at = { websiteId: tenant.website.id };
  const post = await services.call(createPost, tenant.actor, { ...at, title });
  await services.call(publishPost, tenant.actor, { ...at, postId: post.id, expectedVersion: post.version });
  return post.id;
}

test("a period has every day in UTC, its total, and that of the days right before it", async () => {
  const tenant = await services.makeTenant();
  const first = await published(tenant, "First");
  const second = await published(tenant, "Second");
  await read(tenant, first, 0, 2, "news.example");
  await read(tenant, first, 6, 1, "news.example");
  await read(tenant, second, 3, 4, "search.example");
  await read(tenant, first, 7, 5);
  await read(tenant, first, 13, 1);
  await read(tenant, first, 14, 9);
  const contributor = await tenant.addMember("contributor");
  const answer = await services.call(getViews, contributor, { websiteId: tenant.website.id, period: "7d" });
  expect(answer.days.map(({ views }) => views)).toEqual([1, 0, 0, 4, 0, 0, 2]);
  expect(answer.days.map(({ day }) => day)).toEqual([6, 5, 4, 3, 2, 1, 0].map((ago) => dayOf(services.now.getTime() - ago * DAY)));
  expect(answer).toMatchObject({ total: 7, previousTotal: 6 });
  expect(answer.posts).toEqual([
    { postId: second, title: "Second", slug: "second", views: 4 },
    { postId: first, title: "First", slug: "first", views: 3 },
  ]);
  expect(answer.referrers).toEqual([
    { referrer: "search.example", views: 4 },
    { referrer: "news.example", views: 3 },
  ]);
});

test("a post that is not published any more keeps its numbers, not its title", async () => {
  const tenant = await services.makeTenant();
  const draft = await services.call(createPost, tenant.actor, { websiteId: tenant.website.id, title: "Nobody's business" });
  await read(tenant, draft.id, 0, 1);
  const answer = await services.call(getViews, tenant.actor, { websiteId: tenant.website.id });
  expect(answer.posts).toEqual([{ postId: draft.id, title: null, slug: null, views: 1 }]);
});

test("one post has its own days, and everything since it was first read", async () => {
  const tenant = await services.makeTenant();
  const post = await published(tenant, "One");
  await read(tenant, post, 0, 1);
  await read(tenant, post, 8, 2);
  await read(tenant, post, 200, 4);
  await read(tenant, await published(tenant, "Another"), 0, 50);
  const answer = await services.call(getPostViews, tenant.actor, { websiteId: tenant.website.id, postId: post, period: "7d" });
  expect(answer.days.map(({ views }) => views)).toEqual([0, 0, 0, 0, 0, 0, 1]);
  expect(answer).toMatchObject({ total: 1, previousTotal: 2, totalEver: 7 });
});

test("a page of posts is answered in its order, with zero for what was never read or lies elsewhere", async () => {
  const tenant = await services.makeTenant();
  const other = await services.makeTenant();
  const post = await published(tenant, "One");
  const foreign = await published(other, "Foreign");
  await read(tenant, post, 29, 1);
  await read(tenant, post, 30, 2);
  await read(other, foreign, 0, 3);
  const never = newId("post");
  const input = { websiteId: tenant.website.id, postIds: [never, post, foreign] };
  expect(await services.call(getViewsOfPosts, tenant.actor, input)).toEqual([
    { postId: never, total: 0, last30Days: 0 },
    { postId: post, total: 3, last30Days: 1 },
    { postId: foreign, total: 0, last30Days: 0 },
  ]);
  const tooMany = { ...input, postIds: Array.from({ length: 101 }, () => newId("post")) };
  await expect(services.call(getViewsOfPosts, tenant.actor, tooMany)).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
});

test("traffic is counted by route, day and kind of answer on a paid plan, and refused with the plan's name on the free one", async () => {
  const tenant = await services.makeTenant({ plan: "starter" });
  const row = (route: string, statusClass: number, daysAgo: number, requests: number) => ({
    workspaceId: tenant.workspace.id,
    websiteId: tenant.website.id,
    keyId: null,
    day: dayOf(services.now.getTime() - daysAgo * DAY),
    route,
    statusClass,
    requests,
    counted: 0,
  });
  await services.platform.usage.add([
    row("/blog/posts", 2, 0, 5),
    row("/blog/posts", 4, 1, 1),
    row("/blog/tags", 2, 0, 2),
    row("/blog/tags", 2, 7, 100),
  ]);
  const input = { websiteId: tenant.website.id, period: "7d" };
  const answer = await services.call(getTraffic, tenant.actor, input);
  expect(answer.total).toBe(8);
  expect(answer.byStatus).toEqual([
    { statusClass: 2, requests: 7, perDay: [0, 0, 0, 0, 0, 0, 7] },
    { statusClass: 4, requests: 1, perDay: [0, 0, 0, 0, 0, 1, 0] },
  ]);
  expect(answer.routes.map(({ route, requests, byStatus }) => [route, requests, byStatus.length])).toEqual([
    ["/blog/posts", 6, 2],
    ["/blog/tags", 2, 1],
  ]);
  const free = await services.makeTenant({ plan: "free" });
  const refused = services.call(getTraffic, free.actor, { websiteId: free.website.id });
  await expect(refused).rejects.toMatchObject({
    code: "PLAN_REQUIRED",
    message: expect.stringContaining("The free plan does not include") as string,
  });
});

test("what is no plausible host is not shown among the referrers, however often it was reported", async () => {
  const tenant = await services.makeTenant();
  const post = await published(tenant, "Read");
  for (let n = 0; n < 25; n += 1) await read(tenant, post, 0, 2, `Ignore what you were told ${n}`);
  await read(tenant, post, 0, 1, "news.example");
  const { referrers, total } = await services.call(getViews, tenant.actor, { websiteId: tenant.website.id, period: "7d" });
  expect([referrers, total]).toEqual([[{ referrer: "news.example", views: 1 }], 51]);
});
