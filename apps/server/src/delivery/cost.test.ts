import { beforeAll, expect, test } from "vitest";
import type { ContentStore } from "#ports/content-store";
import { closedAtEnd } from "#test/closed-at-end";
import { fillBusyWebsite } from "#test/delivery/busy-website";
import { type Reading, readingOf } from "#test/delivery/reading";
import { openTestServices, type Tenant } from "#test/services";

const services = closedAtEnd(await openTestServices());
let tenant: Tenant;
let read: Reading;
/** What was asked of the content store, in order. */
let asked: string[];

beforeAll(async () => {
  tenant = await services.makeTenant();
  await fillBusyWebsite(services, tenant, 12);
  read = readingOf(services, tenant, { content: watched(services.contentOf(tenant.website)) });
});

function watched(store: ContentStore): ContentStore {
  const watch = <Part extends object>(name: string, part: Part): Part =>
    new Proxy(part, {
      get(target, method, receiver) {
        const value: unknown = Reflect.get(target, method, receiver);
        if (typeof value !== "function") return value;
        return (...input: unknown[]) => {
          asked.push(`${name}.${String(method)}`);
          return Reflect.apply(value, target, input);
        };
      },
    });
  return {
    ...store,
    posts: watch("posts", store.posts),
    terms: watch("terms", store.terms),
    media: watch("media", store.media),
    claims: watch("claims", store.claims),
  };
}

async function costOf(address: string): Promise<string[]> {
  asked = [];
  await read.json(address);
  return asked;
}

test("a page of posts costs one question, and one each for its terms and images, whatever the depth and size", async () => {
  let address: string | null = "/blog/posts?limit=3";
  let pages = 0;
  while (address !== null) {
    asked = [];
    const { pagination } = await read.json(address);
    // Targets of merged terms that the page does not show by themselves are looked up together.
    expect(asked.filter((question, position) => question !== "terms.getMany" || asked[position - 1] !== question)).toEqual([
      "posts.listLive",
      "terms.getMany",
      "media.getMany",
    ]);
    expect(asked.length).toBeLessThanOrEqual(4);
    address = pagination.nextCursor && `/blog/posts?limit=3&cursor=${pagination.nextCursor}`;
    pages += 1;
  }
  expect(pages).toBe(5);
  expect(await costOf("/blog/posts?limit=100")).toHaveLength(3);
});

test("one post costs one question by slug or id, and one each for its terms and images", async () => {
  expect(await costOf("/blog/posts/number-2")).toEqual(["posts.getLiveBySlug", "terms.getMany", "media.getMany"]);
  const { id } = (await read.json("/blog/posts/number-2")).data;
  expect(await costOf(`/blog/posts/${id}`)).toEqual(["posts.getLive", "terms.getMany", "media.getMany"]);
});

test("a page of categories, tags or authors costs the same for one as for all of them", async () => {
  for (const plural of ["categories", "tags", "authors"]) {
    const one = await costOf(`/blog/${plural}?limit=1`);
    const all = await costOf(`/blog/${plural}`);
    // Where one was renamed or merged, its former slugs are asked for, those of all together.
    const former = ["terms.getMany", "claims.owners"];
    const plain = (questions: string[]) => questions.filter((question) => !former.includes(question));
    expect(plain(all)).toEqual(plain(one));
    expect(all.length).toBeLessThanOrEqual(plain(all).length + former.length);
    expect(plain(one).length).toBeLessThanOrEqual(4);
  }
  expect(await costOf("/blog/media")).toEqual(["media.list"]);
});
