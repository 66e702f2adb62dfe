import { expect } from "vitest";
import type { WebsiteId } from "#domain/ids";
import type { ContentStore } from "#ports/content-store";
import type { PastSlug } from "#ports/live-posts";
import type { After } from "#ports/list-page";
import { buildPost, buildPublishedPost, edited, testId } from "../builders.ts";
import type { Suite } from "./suite.ts";

async function walk(store: ContentStore, website: WebsiteId, limit: number): Promise<PastSlug[]> {
  const found: PastSlug[] = [];
  let after: After | null = null;
  do {
    const page: Awaited<ReturnType<ContentStore["posts"]["listPastSlugs"]>> = await store.posts.listPastSlugs(website, { after, limit });
    expect(page.rows.length).toBeLessThanOrEqual(limit);
    found.push(...page.rows);
    after = page.next;
  } while (after !== null);
  return found;
}

export function pastSlugs({ test }: Suite): void {
  test("former slugs of published posts come by post and slug, each once, whatever the page size", async ({ store, website }) => {
    const expected: PastSlug[] = [];
    for (let n = 0; n < 9; n++) {
      const past = n % 3 === 0 ? [] : Array.from({ length: n }, (_, m) => `p${n}-${n - m}`);
      const post = buildPublishedPost(n, { websiteId: website, pastSlugs: past });
      await store.posts.insert(post, { visible: true });
      const currentSlug = post.live!.content.slug;
      expected.push(...past.toSorted().map((slug) => ({ slug, currentSlug, postId: post.id })));
    }
    for (const limit of [1, 2, 5, 100]) expect(await walk(store, website, limit)).toEqual(expected);
    expect(await store.posts.listPastSlugs(website, { after: { key: "zz", id: testId("post", 8) }, limit: 5 })).toEqual({
      rows: [],
      next: null,
    });
  });

  test("what is not published has no redirects, and gets them back with its publication", async ({ store, website }) => {
    const post = buildPublishedPost(1, { websiteId: website, pastSlugs: ["once"] });
    await store.posts.insert(post, { visible: true });
    await store.posts.insert(buildPost(2, { websiteId: website, pastSlugs: ["never"] }), { visible: false });
    const slugs = async () => (await walk(store, website, 10)).map(({ slug }) => slug);
    expect(await slugs()).toEqual(["once"]);
    const off = edited(post, { status: "unpublished" });
    await store.posts.save(off, { visible: true });
    expect(await slugs()).toEqual([]);
    await store.posts.save(edited(off, { status: "published" }), { visible: true });
    expect(await slugs()).toEqual(["once"]);
  });
}
