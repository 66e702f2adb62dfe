import { beforeEach, expect, test } from "vitest";
import { newId } from "#domain/ids";
import { DAY, HOUR, MINUTE, timestamp } from "#domain/time";
import { operations as posts } from "#operations/posts/index";
import type { ContentStore } from "#ports/content-store";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestServices, type Tenant } from "#test/services";
import { freeClaims, thinRevisions, type Walk } from "./walks.ts";

const services = closedAtEnd(await openTestServices());
let content: ContentStore;
let tenant: Tenant;
let ids: { websiteId: string };

beforeEach(async () => {
  tenant = await services.makeTenant();
  ids = { websiteId: tenant.website.id };
  content = services.contentOf(tenant.website);
});

type Move = "publish_post" | "edit_post" | "update_live_post";
const create = (title = "A title", more: Record<string, unknown> = {}) =>
  services.call(posts.create_post, tenant.actor, { ...ids, title, ...more });
const act = (name: Move, post: { id: string; version: number }, input: Record<string, unknown> = {}) =>
  services.call(posts[name] as typeof posts.edit_post, tenant.actor, {
    ...ids,
    postId: post.id,
    expectedVersion: post.version,
    ...input,
  });

/** Step by step to the end; answers how many steps it took. */
async function walkThrough<Position>(walk: Walk<Position>, store = content): Promise<number> {
  let steps = 0;
  let after: Position | null = null;
  do {
    after = await walk(services, store, after);
    steps += 1;
  } while (after);
  return steps;
}

test("old revisions are thinned to one an hour, never those that were live", async () => {
  let post = await act("publish_post", await create());
  for (let i = 0; i < 6; i++) {
    services.pass(20 * MINUTE);
    post = await act("edit_post", post, { body: `${i}` });
  }
  const count = async () => (await content.revisions.list(tenant.website.id, post.id, { after: null, limit: 100 })).rows;
  const before = await count();
  await walkThrough(thinRevisions);
  expect(await count()).toEqual(before);
  services.pass(8 * DAY);
  await walkThrough(thinRevisions);
  const after = await count();
  expect(after.length).toBeLessThan(before.length);
  expect(after.filter((revision) => revision.wasLive)).toHaveLength(1);
  const hours = after.filter((revision) => !revision.wasLive).map((revision) => revision.at.slice(0, 13));
  expect(new Set(hours).size).toBe(hours.length);
});

test("a slug claimed in vain is freed after an hour; slugs in use and redirects are not", async () => {
  let post = await act("publish_post", await create("Kept", { slug: "kept" }));
  post = await act("update_live_post", await act("edit_post", post, { slug: "renamed" }));
  const claimedAt = post.editedAt;
  await content.claims.claim(tenant.website.id, "post", { slug: "in-vain", ownerId: post.id, claimedAt });
  await walkThrough(freeClaims);
  const owners = () => content.claims.owners(tenant.website.id, "post", ["in-vain", "kept", "renamed"]);
  expect([...(await owners()).keys()].toSorted()).toEqual(["in-vain", "kept", "renamed"]);
  services.pass(HOUR + MINUTE);
  await walkThrough(freeClaims);
  expect([...(await owners()).keys()].toSorted()).toEqual(["kept", "renamed"]);
});

test("a walk takes two hundred at a time, and one that cannot be freed keeps nobody behind it waiting", async () => {
  const slugs = Array.from({ length: 450 }, (_, index) => `in-vain-${String(index).padStart(3, "0")}`);
  for (const slug of slugs) {
    await content.claims.claim(tenant.website.id, "post", { slug, ownerId: newId("post"), claimedAt: timestamp(services.now) });
  }
  services.pass(HOUR + MINUTE);
  const refusing: ContentStore = {
    ...content,
    claims: {
      ...content.claims,
      release: (...args) => (args[2] === "in-vain-120" ? Promise.reject(new Error("torn")) : content.claims.release(...args)),
    },
  };
  expect(await walkThrough(freeClaims, refusing)).toBeGreaterThanOrEqual(3);
  expect([...(await content.claims.owners(tenant.website.id, "post", slugs)).keys()]).toEqual(["in-vain-120"]);
});

test("what a sweep has looked at is not looked at again, until the owner of a slug drops it or a revision is due", async () => {
  let post = await act("publish_post", await create("Kept", { slug: "first-slug" }));
  post = await act("edit_post", post, { body: "more" });
  services.pass(8 * DAY);
  await walkThrough(freeClaims);
  await walkThrough(thinRevisions);
  const before = timestamp(services.now);
  const left = async () => [
    (await content.claims.listDoubtful(before, null, 99))
      .filter(({ websiteId }) => websiteId === tenant.website.id)
      .map(({ slug }) => slug),
    (await content.revisions.listThinnable(before, null, 99)).filter(({ websiteId }) => websiteId === tenant.website.id).length,
  ];
  expect(await left()).toEqual([[], 0]);

  // As a node does that dies right after a purge, before it gives the slugs up.
  await content.posts.purge(tenant.website.id, post.id, post.version);
  expect(await left()).toEqual([["first-slug"], 0]);
  await walkThrough(freeClaims);
  expect((await content.claims.owners(tenant.website.id, "post", ["first-slug"])).size).toBe(0);
});

test("a claim whose owner drops the slug while the sweep looks at it stays in doubt", async () => {
  const post = await create("Draft", { slug: "dropped-slug" });
  services.pass(HOUR + MINUTE);
  const looked = await content.claims.listDoubtful(timestamp(services.now), null, 999);
  const mine = looked.filter(({ slug }) => slug === "dropped-slug");
  expect(mine).toMatchObject([{ isNeeded: true }]);
  const stored = (await content.posts.get(tenant.website.id, post.id))!;
  const working = { ...stored.working, slug: "other-slug" };
  await content.posts.save({ ...stored, version: stored.version + 1, working }, { visible: false });
  await content.claims.trust(mine);
  const again = await content.claims.listDoubtful(timestamp(services.now), null, 999);
  expect(again.filter(({ slug }) => slug === "dropped-slug")).toMatchObject([{ isNeeded: false }]);
});
