import { expect } from "vitest";
import type { Post, Rendering } from "#domain/post";
import { buildLive, buildContent, buildPost, buildPublishedPost, buildRendering, edited } from "../builders.ts";
import type { Suite } from "./suite.ts";

const rendering = (post: Post, rendererVersion: number): Rendering =>
  buildRendering(post.working, {
    rendererVersion,
    html: `<p>by ${rendererVersion}</p>`,
    text: "t",
    headings: [],
    wordCount: 9,
    readingMinutes: 2,
  });

export function renderings({ test }: Suite): void {
  test("saving a rendering replaces it and nothing else: same version, same updatedAt", async ({ store, website }) => {
    const post = buildPublishedPost(1, { websiteId: website });
    await store.posts.insert(post, { visible: true });
    const fresh = rendering(post, 2_000);
    expect(await store.posts.saveRendering({ websiteId: website, id: post.id }, 1, fresh)).toBe("saved");
    const now = { ...post, live: { ...post.live!, rendering: fresh } };
    expect(await store.posts.get(website, post.id)).toEqual(now);
    expect(await store.posts.getLive(website, post.id)).toMatchObject({ rendering: fresh, wordCount: 9, readingMinutes: 2 });
    // A save of the aggregate as it now is must keep it.
    expect(await store.posts.save(edited(now), { visible: false })).toBe("saved");
    expect(await store.posts.get(website, post.id)).toEqual(edited(now));
  });

  test("a rendering of another version, or of a post that was never live, is stale and changes nothing", async ({ store, website }) => {
    const post = buildPublishedPost(1, { websiteId: website });
    const draft = buildPost(2, { websiteId: website });
    await store.posts.insert(post, { visible: true });
    await store.posts.insert(draft, { visible: false });
    await store.posts.save(edited(post), { visible: false });
    for (const version of [1, 3]) {
      expect(await store.posts.saveRendering({ websiteId: website, id: post.id }, version, rendering(post, 2_000))).toBe("stale");
    }
    expect(await store.posts.saveRendering({ websiteId: website, id: draft.id }, 1, rendering(draft, 2_000))).toBe("stale");
    expect(await store.posts.get(website, post.id)).toEqual(edited(post));
    expect(await store.posts.get(website, draft.id)).toEqual(draft);
  });

  test("an older copy saved after a new rendering brings its own rendering back", async ({ store, website }) => {
    const post = buildPublishedPost(1, { websiteId: website });
    await store.posts.insert(post, { visible: true });
    await store.posts.saveRendering({ websiteId: website, id: post.id }, 1, rendering(post, 2_000));
    await store.posts.save(edited(post), { visible: false });
    expect(await store.posts.get(website, post.id)).toEqual(edited(post));
  });

  test("the sweep finds posts of every website whose live copy an older renderer made, oldest renderer first", async ({
    store,
    website,
    otherWebsite,
  }) => {
    const make = (n: number, websiteId: Post["websiteId"], rendererVersion: number, status: Post["status"] = "published") => {
      const content = buildContent(n);
      return buildPost(n, { websiteId, status, live: buildLive(content, { rendering: buildRendering(content, { rendererVersion }) }) });
    };
    const posts = [make(1, otherWebsite, 1), make(2, website, 2), make(3, website, 3, "unpublished"), make(4, website, 4)];
    for (const post of posts.toReversed()) await store.posts.insert(post, { visible: true });
    const refs = posts.map(({ websiteId, id }) => ({ websiteId, id }));
    expect(await store.posts.listRenderedBefore(4, 10)).toEqual(refs.slice(0, 3));
    expect(await store.posts.listRenderedBefore(4, 1)).toEqual(refs.slice(0, 1));
    await store.posts.saveRendering(refs[0]!, 1, rendering(posts[0]!, 4));
    expect(await store.posts.listRenderedBefore(4, 1)).toEqual([refs[1]]);
  });
}
