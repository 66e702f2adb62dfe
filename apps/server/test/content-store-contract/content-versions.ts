import { expect } from "vitest";
import {
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
import type { Suite } from "./suite.ts";

export function contentVersions({ testVersion }: Suite): void {
  testVersion(
    "visible writes raise the content version of their website, invisible ones do not",
    async ({ store, website, contentVersion }) => {
      let last = await contentVersion();
      const raised = async (write: Promise<unknown>) => {
        expect(await write).not.toBe("stale");
        const now = await contentVersion();
        expect(now).toBeGreaterThanOrEqual(last);
        const grew = now > last;
        last = now;
        return grew;
      };
      const post = buildPublishedPost(1, { websiteId: website });
      const term = buildTerm(1, { websiteId: website });
      const image = buildMedia(1, { websiteId: website });
      expect(await raised(store.posts.insert(post, { visible: true }))).toBe(true);
      expect(await raised(store.posts.insert(buildPost(2, { websiteId: website }), { visible: false }))).toBe(false);
      expect(await raised(store.posts.save(edited(post, { working: buildContent(9) }), { visible: false }))).toBe(false);
      expect(await raised(store.posts.save({ ...post, version: 3 }, { visible: true }))).toBe(true);
      expect(await raised(store.posts.saveRendering(post, 3, buildRendering(post.working, { rendererVersion: 2_000 })))).toBe(true);
      expect(await raised(store.posts.settle(website, post.id, { eventIds: [], revision: buildRevision(1, post) }))).toBe(false);
      expect(await raised(store.revisions.put(buildRevision(2, post)))).toBe(false);
      expect(await raised(store.revisions.delete(website, post.id, [testId("revision", 2)]))).toBe(false);
      expect(await raised(store.claims.claim(website, "post", { slug: "a", ownerId: post.id, claimedAt: post.createdAt }))).toBe(false);
      expect(await raised(store.terms.insert(term))).toBe(true);
      expect(await raised(store.terms.save(edited(term)))).toBe(true);
      expect(await raised(store.terms.delete(website, term.id, 2))).toBe(true);
      expect(await raised(store.media.insert(image))).toBe(true);
      expect(await raised(store.media.save(edited(image)))).toBe(true);
      expect(await raised(store.media.delete(website, image.id, 2))).toBe(true);
    },
  );

  testVersion("a stale write raises no content version", async ({ store, website, contentVersion }) => {
    const post = buildPublishedPost(1, { websiteId: website });
    await store.posts.insert(post, { visible: true });
    const before = await contentVersion();
    expect(await store.posts.insert(post, { visible: true })).toBe("stale");
    expect(await store.posts.save(post, { visible: true })).toBe("stale");
    expect(await store.posts.saveRendering(post, 7, buildRendering(post.working))).toBe("stale");
    expect(await contentVersion()).toBe(before);
  });

  testVersion(
    "a write in one website leaves the content version of another alone",
    async ({ store, website, otherWebsite, contentVersion }) => {
      await store.posts.insert(buildPublishedPost(1, { websiteId: website }), { visible: true });
      const before = await contentVersion();
      await store.posts.insert(buildPublishedPost(1, { websiteId: otherWebsite }), { visible: true });
      await store.terms.insert(buildTerm(1, { websiteId: otherWebsite }));
      expect(await contentVersion()).toBe(before);
    },
  );

  testVersion("parallel visible writes each raise it", async ({ store, website, contentVersion }) => {
    const before = await contentVersion();
    const posts = Array.from({ length: 20 }, (_, n) => buildPublishedPost(n, { websiteId: website }));
    await Promise.all(posts.map((post) => store.posts.insert({ ...post, pendingEvents: [buildEvent(1, post)] }, { visible: true })));
    expect(await contentVersion()).toBeGreaterThanOrEqual(before + 20);
  });
}
