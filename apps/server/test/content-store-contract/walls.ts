import { expect } from "vitest";
import {
  at,
  buildContent,
  buildEvent,
  buildMedia,
  buildPost,
  buildPublishedPost,
  buildRendering,
  buildRevision,
  buildTerm,
  edited,
  testId,
} from "../builders.ts";
import type { PostListQuery } from "#ports/content-store";
import type { Suite } from "./suite.ts";

export function walls({ test }: Suite): void {
  test("the same ids in two websites are two records of each kind", async ({ store, website, otherWebsite }) => {
    const here = buildPublishedPost(1, { websiteId: website, working: buildContent(1, { title: "Here" }) });
    const there = buildPublishedPost(1, { websiteId: otherWebsite, working: buildContent(1, { title: "There" }) });
    for (const post of [here, there]) {
      const { websiteId } = post;
      expect(await store.posts.insert(post, { visible: true })).toBe("saved");
      expect(await store.terms.insert(buildTerm(1, { websiteId, name: websiteId }))).toBe("saved");
      expect(await store.media.insert(buildMedia(1, { websiteId, alt: websiteId }))).toBe("saved");
      expect((await store.claims.claim(websiteId, "post", { slug: "a", ownerId: websiteId, claimedAt: at(1) })).fresh).toBe(true);
      await store.revisions.put(buildRevision(1, post));
    }
    await store.posts.save(edited(here), { visible: true });
    expect(await store.posts.get(website, here.id)).toEqual(edited(here));
    expect(await store.posts.get(otherWebsite, there.id)).toEqual(there);
    expect(await store.posts.purge(website, here.id, 2)).toBe("saved");
    expect(await store.posts.getLive(otherWebsite, there.id)).toMatchObject({ content: { title: "There" } });
    expect(await store.revisions.get(otherWebsite, there.id, testId("revision", 1))).toEqual(buildRevision(1, there));
    expect(await store.terms.delete(website, testId("category", 1), 1)).toBe("saved");
    expect(await store.terms.get(otherWebsite, testId("category", 1))).toMatchObject({ name: otherWebsite });
    expect(await store.media.delete(website, testId("media", 1), 1)).toBe("saved");
    expect(await store.media.get(otherWebsite, testId("media", 1))).toMatchObject({ alt: otherWebsite });
    await store.claims.release(website, "post", "a", website);
    expect((await store.claims.owners(otherWebsite, "post", ["a"])).get("a")).toBe(otherWebsite);
  });

  test("lists that are read at the same time are each their own website's, from their own place", async ({
    store,
    website,
    otherWebsite,
  }) => {
    for (const websiteId of [website, otherWebsite]) {
      for (const n of [1, 2, 3]) {
        const working = buildContent(n, { title: `${n} of ${websiteId}` });
        await store.posts.insert(buildPost(n, { websiteId, working, editedAt: at(n), status: n === 3 ? "deleted" : "draft" }), {
          visible: true,
        });
      }
    }
    const titles = async (websiteId: typeof website, query: Partial<PostListQuery>) => {
      const whole = {
        statuses: ["draft", "scheduled", "published", "unpublished"] as const,
        sort: "-editedAt" as const,
        after: null,
        limit: 1,
      };
      const { rows, next } = await store.posts.listHeads(websiteId, { ...whole, ...query });
      return { titles: rows.map(({ title }) => title), next };
    };
    const first = await titles(website, {});
    const pages = await Promise.all([
      titles(website, {}),
      titles(otherWebsite, {}),
      titles(otherWebsite, { after: first.next }),
      titles(website, { after: first.next, limit: 2 }),
      titles(website, { statuses: ["deleted"] }),
      titles(otherWebsite, { sort: "editedAt" }),
    ]);
    const [here, there] = [website, otherWebsite];
    expect(pages.map((page) => page.titles)).toEqual([
      [`2 of ${here}`],
      [`2 of ${there}`],
      [`1 of ${there}`],
      [`1 of ${here}`],
      [`3 of ${here}`],
      [`1 of ${there}`],
    ]);
  });

  test("reading with another website's id finds nothing", async ({ store, website, otherWebsite }) => {
    const tag = testId("tag", 1);
    const working = buildContent(1, { tagIds: [tag], coverMediaId: testId("media", 1) });
    const post = buildPublishedPost(1, { websiteId: website, working });
    await store.posts.insert(post, { visible: true });
    await store.terms.insert(buildTerm(1, { websiteId: website, kind: "tag" }));
    await store.terms.insert(buildTerm(2, { websiteId: website, kind: "tag", mergedInto: tag }));
    await store.media.insert(buildMedia(1, { websiteId: website }));
    await store.revisions.put(buildRevision(1, post));
    await store.claims.claim(website, "post", { slug: "a", ownerId: post.id, claimedAt: at(1) });

    const { posts, terms, media, revisions, claims, feed } = store;
    const page = { after: null, limit: 10 };
    expect(await posts.get(otherWebsite, post.id)).toBeNull();
    expect(await posts.getLive(otherWebsite, post.id)).toBeNull();
    expect(await posts.getLiveBySlug(otherWebsite, "a")).toBeNull();
    expect(await posts.getManyLive(otherWebsite, [post.id])).toEqual([]);
    expect((await posts.list(otherWebsite, { ...page, statuses: ["published"], sort: "title" })).rows).toEqual([]);
    expect((await posts.listHeads(otherWebsite, { ...page, statuses: ["published"], sort: "title" })).rows).toEqual([]);
    expect((await posts.list(otherWebsite, { ...page, statuses: ["published"], sort: "title", facets: [[tag]] })).rows).toEqual([]);
    expect((await posts.listLive(otherWebsite, { ...page, sort: "title" })).rows).toEqual([]);
    expect((await posts.listLive(otherWebsite, { ...page, sort: "title", facets: [[tag]] })).rows).toEqual([]);
    expect((await posts.countByStatus(otherWebsite)).published).toBe(0);
    expect(await posts.countByFacet(otherWebsite, [[tag]])).toEqual([0]);
    expect(await posts.countLiveByFacet(otherWebsite, [[tag]])).toEqual([0]);
    expect(await terms.get(otherWebsite, tag)).toBeNull();
    expect(await terms.getMany(otherWebsite, [tag])).toEqual([]);
    expect(await terms.listMergedInto(otherWebsite, tag)).toEqual([]);
    expect(await terms.facetGroups(otherWebsite, [tag])).toEqual([[tag]]);
    expect((await terms.list(otherWebsite, { ...page, kind: "tag" })).rows).toEqual([]);
    expect((await terms.count(otherWebsite)).tag).toBe(0);
    expect(await media.get(otherWebsite, testId("media", 1))).toBeNull();
    expect(await media.getMany(otherWebsite, [testId("media", 1)])).toEqual([]);
    expect((await media.list(otherWebsite, page)).rows).toEqual([]);
    expect(await revisions.get(otherWebsite, post.id, testId("revision", 1))).toBeNull();
    expect(await revisions.latest(otherWebsite, post.id)).toBeNull();
    expect((await revisions.list(otherWebsite, post.id, page)).rows).toEqual([]);
    expect((await claims.owners(otherWebsite, "post", ["a"])).size).toBe(0);
    expect((await feed.read(otherWebsite, null, 10)).changes).toEqual([]);
  });

  test("terms and images are live only by posts of their own website", async ({ store, website, otherWebsite }) => {
    const working = buildContent(1, { tagIds: [testId("tag", 1)], coverMediaId: testId("media", 1) });
    await store.posts.insert(buildPublishedPost(1, { websiteId: website, working }), { visible: true });
    await store.terms.insert(buildTerm(1, { websiteId: otherWebsite, kind: "tag" }));
    await store.media.insert(buildMedia(1, { websiteId: otherWebsite }));
    expect((await store.terms.list(otherWebsite, { kind: "tag", onlyLive: true, after: null, limit: 9 })).rows).toEqual([]);
    expect((await store.media.list(otherWebsite, { onlyLive: true, after: null, limit: 9 })).rows).toEqual([]);
  });

  test("writing with another website's id changes nothing", async ({ store, website, otherWebsite }) => {
    const plain = buildPublishedPost(1, { websiteId: website });
    const post = { ...plain, pendingEvents: [buildEvent(1, plain)] };
    const term = buildTerm(1, { websiteId: website });
    const image = buildMedia(1, { websiteId: website });
    const revision = buildRevision(1, post);
    await store.posts.insert(post, { visible: true });
    await store.terms.insert(term);
    await store.media.insert(image);
    await store.revisions.put(revision);
    await store.claims.claim(website, "post", { slug: "a", ownerId: post.id, claimedAt: at(1) });

    expect(await store.posts.save({ ...edited(post), websiteId: otherWebsite }, { visible: true })).toBe("stale");
    expect(await store.posts.purge(otherWebsite, post.id, 1)).toBe("stale");
    expect(await store.posts.saveRendering({ websiteId: otherWebsite, id: post.id }, 1, buildRendering(post.working))).toBe("stale");
    await store.posts.settle(otherWebsite, post.id, { eventIds: [post.pendingEvents[0]!.id], revision: null });
    expect(await store.terms.save({ ...edited(term), websiteId: otherWebsite })).toBe("stale");
    expect(await store.terms.delete(otherWebsite, term.id, 1)).toBe("stale");
    expect(await store.media.save({ ...edited(image), websiteId: otherWebsite })).toBe("stale");
    expect(await store.media.delete(otherWebsite, image.id, 1)).toBe("stale");
    await store.revisions.delete(otherWebsite, post.id, [revision.id]);
    await store.claims.release(otherWebsite, "post", "a", post.id);
    expect(await store.claims.move(otherWebsite, "post", "a", post.id, "post_other")).toBe(false);
    while (!(await store.eraseWebsite(otherWebsite, 100)));

    expect(await store.posts.get(website, post.id)).toEqual(post);
    expect(await store.terms.get(website, term.id)).toEqual(term);
    expect(await store.media.get(website, image.id)).toEqual(image);
    expect(await store.revisions.get(website, post.id, revision.id)).toEqual(revision);
    expect((await store.claims.owners(website, "post", ["a"])).get("a")).toBe(post.id);
  });
}
