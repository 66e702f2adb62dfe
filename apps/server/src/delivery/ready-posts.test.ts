import { beforeAll, expect, test } from "vitest";
import { POST_SORTS } from "@stet/contract";
import { registry } from "#operations/registry";
import type { ContentStore } from "#ports/content-store";
import { closedAtEnd } from "#test/closed-at-end";
import { fillBusyWebsite } from "#test/delivery/busy-website";
import { readingOf } from "#test/delivery/reading";
import { writingIn } from "#test/delivery/writing";
import { openTestServices, type Tenant } from "#test/services";
import { keepReadyPosts } from "./ready-posts.ts";

const services = closedAtEnd(await openTestServices());
let tenant: Tenant;

beforeAll(async () => {
  tenant = await services.makeTenant();
  await fillBusyWebsite(services, tenant, 12);
});

const LISTS = [
  ...POST_SORTS.flatMap((sort) => [`/blog/posts?sort=${sort}&limit=5`, `/blog/posts?sort=${sort}&limit=100`]),
  "/blog/posts?tag=a",
  "/blog/posts?category=latest&featured=false",
  "/blog/posts?tag=nowhere",
  "/blog/posts?author=zoe&tag=b&sort=title",
  "/blog/search?q=number",
  "/blog/search?q=nothing-like-it",
];

/** A reader whose posts are kept ready for a state of the content, and which parts of it were asked for. */
function keeping(kept: ReturnType<typeof keepReadyPosts>, contentVersion: number) {
  const asked: string[] = [];
  const { posts, ...content } = services.contentOf(tenant.website);
  const watched = new Proxy(posts, {
    get(target, method: keyof ContentStore["posts"]) {
      asked.push(method);
      return target[method];
    },
  });
  const ready = kept.of(tenant.website, { contentVersion, storeEpoch: 0 });
  return { asked, ready, read: readingOf(services, tenant, { content: { ...content, posts: watched }, readyPosts: ready }) };
}

test("lists of ready posts have the bytes of lists that are made anew, before and after a change, and also where little is kept", async () => {
  const plain = readingOf(services, tenant);
  for (const kept of [keepReadyPosts(1_000_000), keepReadyPosts(6_000), keepReadyPosts(0)]) {
    for (const version of [1, 2]) {
      const { read } = keeping(kept, version);
      for (const address of [...LISTS, ...LISTS]) expect([address, await read.text(address)]).toEqual([address, await plain.text(address)]);
      const page = await plain.json("/blog/posts?limit=5&sort=title");
      const next = `/blog/posts?limit=5&sort=title&cursor=${page.pagination.nextCursor}`;
      expect(await read.text(next)).toBe(await plain.text(next));
      const tag = (await services.call(registry.list_terms, tenant.actor, { websiteId: tenant.website.id, kind: "tag" })).items[0]!;
      await writingIn(services, tenant).editTerm(tag, { name: `${tag.name}!` });
    }
  }
});

test("posts that are ready are not read again, and only those that are missing are", async () => {
  const kept = keepReadyPosts(1_000_000);
  const { asked, ready, read } = keeping(kept, 1);
  await read.text("/blog/posts?limit=3");
  expect(asked).toEqual(["listLive"]);
  await read.text("/blog/posts?limit=4");
  expect(asked.splice(0)).toEqual(["listLive", "listLiveIds", "getManyLive"]);
  await read.text("/blog/posts?limit=2");
  expect(asked).toEqual(["listLiveIds"]);

  const { id } = (await read.json("/blog/posts?limit=1")).data[0];
  expect(ready.get(id)).toBeDefined();
  const state = { contentVersion: 1, storeEpoch: 0 };
  const others = [
    kept.of({ ...tenant.website, version: tenant.website.version + 1 }, state),
    kept.of(tenant.website, { contentVersion: 2, storeEpoch: 0 }),
    kept.of(tenant.website, { contentVersion: 1, storeEpoch: 1 }),
    kept.of((await services.makeTenant()).website, state),
  ];
  for (const other of others) expect([other.hasSome(), other.get(id)]).toEqual([false, undefined]);
  kept.forgetAll();
  // An answer that was under way adds nothing to what is known now.
  await read.text("/blog/posts?limit=2");
  const now = kept.of(tenant.website, state);
  expect([now.hasSome(), now.get(id)]).toEqual([false, undefined]);
});
