import { POST_SORTS } from "@stet/contract";
import { expect } from "vitest";
import type { Post } from "#domain/post";
import { LIST_SORTS, type ContentStore } from "#ports/content-store";
import { at, buildContent, buildPublishedPost, edited } from "../builders.ts";
import { insertAll, variedPosts } from "./paging.ts";
import { idsOf, rowsOf, walk } from "./reference.ts";
import type { Suite } from "./suite.ts";

/** Writers that change what is listed in every way: each step inserts, moves, takes off line, and removes a post. */
function disturber(store: ContentStore, posts: readonly Post[]) {
  const victims = posts.filter((_, n) => n % 4 === 0);
  const untouched = posts.filter((_, n) => n % 4 !== 0);
  let step = 0;
  const disturb = async (): Promise<void> => {
    const n = step++;
    const fresh = buildPublishedPost(1_000 + n, { websiteId: posts[0]!.websiteId, createdAt: at(n % 12), editedAt: at(n % 10) });
    await store.posts.insert(fresh, { visible: true });
    const victim = victims[n];
    if (!victim) return;
    const moved = at(n % 2 ? 1_000_000 : -1_000_000);
    const content = buildContent(n, { title: n % 2 ? "\u{10FFFF}" : "" });
    const next = edited(victim, {
      working: content,
      live: { ...victim.live!, content, publishedAt: moved, updatedAt: moved },
      status: n % 3 === 0 ? "unpublished" : "published",
      editedAt: moved,
    });
    await store.posts.save(next, { visible: true });
    if (n % 3 === 1) await store.posts.purge(victim.websiteId, victim.id, 2);
  };
  return { disturb, untouched };
}

/** Of what a walk saw, only the posts nobody touched, sorted: each must be there exactly once. */
function seenOf(untouched: readonly Post[], seen: readonly string[]): string[] {
  const wanted = new Set<string>(idsOf(untouched));
  return seen.filter((id) => wanted.has(id)).toSorted();
}

export function pagingUnderWrites({ test }: Suite): void {
  for (const sort of LIST_SORTS) {
    test(`posts by ${sort}: while posts come, move and go, each untouched one appears exactly once`, async ({ store, website }) => {
      const posts = variedPosts(website);
      await insertAll(store, posts);
      const { disturb, untouched } = disturber(store, posts);
      const pages = await walk(async (after) => {
        const page = await store.posts.list(website, { statuses: ["published"], sort, after, limit: 5 });
        await disturb();
        return page;
      }, 100);
      expect(seenOf(untouched, idsOf(rowsOf(pages)))).toEqual(idsOf(untouched).toSorted());
    });
  }

  for (const sort of POST_SORTS) {
    test(`live posts by ${sort}: while posts come, move and go, each untouched one appears exactly once`, async ({ store, website }) => {
      const posts = variedPosts(website);
      await insertAll(store, posts);
      const { disturb, untouched } = disturber(store, posts);
      const pages = await walk(async (after) => {
        const page = await store.posts.listLive(website, { sort, after, limit: 5 });
        await disturb();
        return page;
      }, 100);
      expect(seenOf(untouched, idsOf(rowsOf(pages)))).toEqual(idsOf(untouched).toSorted());
    });
  }

  test("while writers run in parallel, each untouched post appears exactly once in every walk", async ({ store, website }) => {
    const posts = variedPosts(website);
    await insertAll(store, posts);
    const { disturb, untouched } = disturber(store, posts);
    let writing = true;
    const writer = (async () => {
      for (let n = 0; n < 40; n++) await disturb();
      writing = false;
    })();
    do {
      const pages = await walk((after) => store.posts.listLive(website, { sort: "-publishedAt", after, limit: 3 }));
      expect(seenOf(untouched, idsOf(rowsOf(pages)))).toEqual(idsOf(untouched).toSorted());
    } while (writing);
    await writer;
  });
}
