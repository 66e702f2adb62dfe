import { POST_SORTS } from "@stet/contract";
import { expect } from "vitest";
import type { Post } from "#domain/post";
import { type ContentStore, LIST_SORTS } from "#ports/content-store";
import type { After, ListPage } from "#ports/list-page";
import { at, buildContent, buildPublishedPost, edited } from "../builders.ts";
import { insertVaried } from "./paging.ts";
import { idsOf, rowsOf, walk } from "./reference.ts";
import type { Suite, Tools } from "./suite.ts";

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

/**
 * Walks every order at once, each by its own pages, with one change between two pages of each: made once, the posts and the
 * changes serve all orders. Answers what each walk saw, or why it failed.
 */
async function walkAll<Sort extends string>(
  tools: Tools,
  sorts: readonly Sort[],
  read: (sort: Sort, after: After | null) => Promise<ListPage<{ readonly id: string }>>,
) {
  const { disturb, untouched } = disturber(tools.store, await insertVaried(tools));
  const waiting: (() => void)[] = [];
  let walking = sorts.length;
  const changeWhenAllWait = async (): Promise<void> => {
    if (waiting.length < walking) return;
    await disturb();
    for (const goOn of waiting.splice(0)) goOn();
  };
  const walks = sorts.map(async (sort) => {
    const pages = walk(async (after) => {
      const page = await read(sort, after);
      const changed = new Promise<void>((resolve) => waiting.push(resolve));
      await changeWhenAllWait();
      await changed;
      return page;
    }, 100);
    return pages.finally(() => {
      walking -= 1;
      return changeWhenAllWait();
    });
  });
  const ended = await Promise.allSettled(walks);
  return { untouched, walks: new Map(sorts.map((sort, n) => [sort, ended[n]!])) };
}

function expectEachOnce({ untouched, walks }: Awaited<ReturnType<typeof walkAll>>, sort: string): void {
  const ended = walks.get(sort)!;
  if (ended.status === "rejected") throw ended.reason;
  expect(ended.value.length).toBeGreaterThan(7);
  expect(seenOf(untouched, idsOf(rowsOf(ended.value)))).toEqual(idsOf(untouched).toSorted());
}

export function pagingUnderWrites({ test, readingOne, limits }: Suite): void {
  const walkLists = (tools: Tools) =>
    walkAll(tools, LIST_SORTS, (sort, after) => tools.store.posts.list(tools.website, { statuses: ["published"], sort, after, limit: 5 }));
  readingOne("walks through posts", walkLists, (ofThem) => {
    for (const sort of LIST_SORTS)
      ofThem(`posts by ${sort}: while posts come, move and go, each untouched one appears exactly once`, async ({ made }) =>
        expectEachOnce(made, sort),
      );
  });

  const walkLive = (tools: Tools) =>
    walkAll(tools, POST_SORTS, (sort, after) => tools.store.posts.listLive(tools.website, { sort, after, limit: 5 }));
  readingOne("walks through live posts", walkLive, (ofThem) => {
    for (const sort of POST_SORTS)
      ofThem(`live posts by ${sort}: while posts come, move and go, each untouched one appears exactly once`, async ({ made }) =>
        expectEachOnce(made, sort),
      );
  });

  test("while writers run in parallel, each untouched post appears exactly once in every walk", async (tools) => {
    const { store, website } = tools;
    const { disturb, untouched } = disturber(store, await insertVaried(tools));
    // Where each page costs a full read: longer ones, and no steps beyond those that move a post and some that add one.
    const [limit, steps] = limits(3).length > 0 ? [3, 40] : [5, 16];
    let writing = true;
    const writer = (async () => {
      for (let n = 0; n < steps; n++) await disturb();
      writing = false;
    })();
    do {
      const pages = await walk((after) => store.posts.listLive(website, { sort: "-publishedAt", after, limit }));
      expect(seenOf(untouched, idsOf(rowsOf(pages)))).toEqual(idsOf(untouched).toSorted());
    } while (writing);
    await writer;
  });
}
