import { expect } from "vitest";
import type { PostAddress } from "#ports/live-posts";
import type { After } from "#ports/list-page";
import { at, buildPost, buildPublishedPost } from "../builders.ts";
import type { Suite } from "./suite.ts";

export function addresses({ test }: Suite): void {
  test("addresses of published posts come by creation, and so does the post that stands so many places further", async ({
    store,
    website,
  }) => {
    const expected: PostAddress[] = [];
    const places: After[] = [];
    for (let n = 0; n < 7; n++) {
      // Two at a time were created at the same moment: the id decides.
      const createdAt = at(Math.floor(n / 2));
      const post = buildPublishedPost(n, { websiteId: website, createdAt });
      await store.posts.insert(post, { visible: true });
      const { content, updatedAt } = post.live!;
      expected.push({ slug: content.slug, updatedAt, noindex: content.seo.noindex });
      places.push({ key: createdAt, id: post.id });
    }
    await store.posts.insert(buildPost(8, { websiteId: website, createdAt: at(0) }), { visible: false });
    for (const limit of [1, 3, 100]) {
      const found: PostAddress[] = [];
      let after: After | null = null;
      do {
        const page: Awaited<ReturnType<typeof store.posts.listAddresses>> = await store.posts.listAddresses(website, { after, limit });
        found.push(...page.rows);
        after = page.next;
      } while (after);
      expect(found).toEqual(expected);
    }
    const skip = (after: After | null, count: number) => store.posts.skipLive(website, after, count);
    expect([await skip(null, 1), await skip(null, 3), await skip(places[2]!, 3)]).toEqual([places[0], places[2], places[5]]);
    // Nothing follows the last one.
    expect([await skip(null, 7), await skip(null, 8), await skip(places[6]!, 1)]).toEqual([null, null, null]);
  });
}
