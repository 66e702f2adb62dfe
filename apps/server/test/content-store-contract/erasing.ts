import { expect } from "vitest";
import type { WebsiteId } from "#domain/ids";
import type { ContentStore } from "#ports/content-store";
import { at, buildContent, buildMedia, buildPublishedPost, buildRecordBeside, buildRevision, buildTerm, testId } from "../builders.ts";
import type { Suite } from "./suite.ts";

async function fill(store: ContentStore, website: WebsiteId): Promise<void> {
  for (let n = 1; n <= 5; n++) {
    const working = buildContent(n, { tagIds: [testId("tag", n)], featured: true });
    const post = buildPublishedPost(n, { websiteId: website, working });
    await store.posts.insert(post, { visible: true });
    await store.revisions.put(buildRevision(n, post));
    await store.terms.insert(buildTerm(n, { websiteId: website, kind: "tag" }));
    await store.media.insert(buildMedia(n, { websiteId: website }));
    await store.beside.insert(buildRecordBeside(n, { websiteId: website }));
    await store.claims.claim(website, "post", { slug: `slug-${n}`, ownerId: post.id, claimedAt: at(n) });
  }
  await store.posts.purge(website, testId("post", 5), 1);
}

async function inventory(store: ContentStore, website: WebsiteId): Promise<Record<string, number>> {
  const slugs = [1, 2, 3, 4, 5].map((n) => `slug-${n}`);
  const posts = await store.posts.list(website, { statuses: ["published"], sort: "title", after: null, limit: 99 });
  const live = await store.posts.listLive(website, { featured: true, sort: "title", after: null, limit: 99 });
  return {
    posts: posts.rows.length,
    live: live.rows.length,
    facets: (await store.posts.countLiveByFacet(website, [[testId("tag", 1)]]))[0]!,
    revisions: (await store.revisions.list(website, testId("post", 1), { after: null, limit: 99 })).rows.length,
    tags: (await store.terms.count(website)).tag,
    images: (await store.media.list(website, { after: null, limit: 99 })).rows.length,
    beside: (await store.beside.list(website, { kind: "suggestion", after: null, limit: 99 })).rows.length,
    claims: (await store.claims.owners(website, "post", slugs)).size,
    changes: Math.min(1, (await store.feed.read(website, null, 99)).changes.length),
  };
}

const NOTHING = { posts: 0, live: 0, facets: 0, revisions: 0, tags: 0, images: 0, beside: 0, claims: 0, changes: 0 };
const FILLED = { posts: 4, live: 4, facets: 1, revisions: 1, tags: 5, images: 5, beside: 5, claims: 5, changes: 1 };

export function erasing({ test }: Suite): void {
  test("a website is erased in small steps until nothing is left, and no other website loses anything", async ({
    store,
    website,
    otherWebsite,
  }) => {
    await fill(store, website);
    await fill(store, otherWebsite);
    expect(await inventory(store, website)).toEqual(FILLED);
    expect(await store.eraseWebsite(website, 3)).toBe(false);
    let steps = 1;
    while (!(await store.eraseWebsite(website, 3))) {
      steps += 1;
      expect(steps).toBeLessThan(200);
    }
    expect(await inventory(store, website)).toEqual(NOTHING);
    expect(await inventory(store, otherWebsite)).toEqual(FILLED);
  });

  test("erasing an empty or an erased website is done at once", async ({ store, website, otherWebsite }) => {
    expect(await store.eraseWebsite(otherWebsite, 10)).toBe(true);
    await fill(store, website);
    while (!(await store.eraseWebsite(website, 1_000)));
    expect(await store.eraseWebsite(website, 1)).toBe(true);
  });
}
