import { mkdir, writeFile } from "node:fs/promises";
import { POST_SORTS } from "@stet/contract";
import type { Post } from "#domain/post";
import type { ContentStore } from "#ports/content-store";
import type { LiveListQuery } from "#ports/live-posts";
import type { After } from "#ports/list-page";
import { at, buildContent, buildLive, buildPublishedPost, buildRendering, edited, testId, WEBSITE } from "#test/builders";
import { type Engine, mongodb, postgres } from "./engines.ts";
import { medians, throughput } from "./measure.ts";

/**
 * `npm run bench -- store`: what the content store can do, through its port. Fails when a deep page is slower than the first
 * by more than the engine allows, because that is what keyset paging is for.
 */
const ENGINES: readonly Engine[] = [postgres, mongodb];
const POSTS = 10_000;
const PAGE = 25;
const DEEP_PAGE = 400;
const ROUNDS = 400;
const SAVES = 2_000;
/** Bounded, so that a machine that does something else meanwhile stays usable. */
const WRITERS = 4;
const RESULTS = new URL("../../../.cache/bench/", import.meta.url);

const PARAGRAPH = "Every test file gets a database of its own, so that nothing has to be cleaned up and nothing can leak. ";
const BODY = `## A heading\n\n${PARAGRAPH.repeat(40)}\n`;

function samplePost(n: number): Post {
  const content = buildContent(n, {
    title: `A post about something, number ${(n * 7_919) % POSTS}`,
    body: BODY,
    categoryIds: [testId("category", n % 2)],
    tagIds: [testId("tag", n % 10), testId("tag", 10 + (n % 7))],
    authorIds: [testId("author", n % 3)],
    featured: n % 20 === 0,
  });
  const live = buildLive(content, {
    rendering: buildRendering(content, { text: BODY }),
    publishedAt: at(Math.floor(n / 2) * 1_000),
    updatedAt: at(((n * 7_919) % POSTS) * 1_000),
  });
  return buildPublishedPost(n, { working: content, live });
}

async function measureWrites(store: ContentStore, saves: number): Promise<Record<string, number>> {
  const posts = Array.from({ length: POSTS }, (_, n) => samplePost(n));
  const inserts = await throughput(POSTS, WRITERS, (n) => store.posts.insert(posts[n]!, { visible: true }));
  const autosave = (post: Post): Post => edited(post, { working: { ...post.working, body: `${post.working.body}.` } });
  const save = async (n: number, visible: boolean) => {
    posts[n] = autosave(posts[n]!);
    if ((await store.posts.save(posts[n]!, { visible })) === "stale")
      throw new Error("A save of the bench was stale: it measures nothing.");
  };
  return {
    [`inserts, ${WRITERS} writers`]: inserts,
    "autosaves, 1 writer": await throughput(saves, 1, (n) => save(n, false)),
    [`autosaves, ${WRITERS} writers`]: await throughput(saves, WRITERS, (n) => save(n, false)),
    [`visible saves, ${WRITERS} writers`]: await throughput(saves, WRITERS, (n) => save(n, true)),
  };
}

/** Walks there in larger steps. */
async function cursorBeforePage(store: ContentStore, query: Omit<LiveListQuery, "after" | "limit">, page: number): Promise<After | null> {
  const step = 1_000;
  let after: After | null = null;
  for (let left = (page - 1) * PAGE; left > 0; left -= step) {
    after = (await store.posts.listLive(WEBSITE, { ...query, after, limit: Math.min(step, left) })).next;
  }
  return after;
}

interface PageTimes {
  readonly list: string;
  readonly deepPage: number;
  readonly firstMillis: number;
  readonly deepMillis: number;
  readonly ratio: number;
}

async function measurePages(store: ContentStore, rounds: number): Promise<PageTimes[]> {
  const both = [testId("category", 0), testId("category", 1)];
  const lists: { list: string; query: Omit<LiveListQuery, "after" | "limit">; deepPage: number }[] = [
    ...POST_SORTS.map((sort) => ({ list: sort, query: { sort }, deepPage: DEEP_PAGE })),
    { list: "-publishedAt, half by category", query: { sort: "-publishedAt", facets: [both.slice(1)] }, deepPage: DEEP_PAGE / 2 },
    { list: "title, merged categories", query: { sort: "title", facets: [both] }, deepPage: DEEP_PAGE },
    { list: "-publishedAt, not featured", query: { sort: "-publishedAt", featured: false }, deepPage: DEEP_PAGE * 0.95 },
  ];
  const times: PageTimes[] = [];
  for (const { list, query, deepPage } of lists) {
    const deep = await cursorBeforePage(store, query, deepPage);
    const read = (after: After | null) => async () => {
      const { rows } = await store.posts.listLive(WEBSITE, { ...query, after, limit: PAGE });
      if (rows.length !== PAGE) throw new Error(`A page of ${list} has ${rows.length} rows instead of ${PAGE}: it measures nothing.`);
    };
    const [firstMillis, deepMillis] = (await medians(rounds, [read(null), read(deep)])) as [number, number];
    times.push({ list, deepPage, firstMillis, deepMillis, ratio: deepMillis / firstMillis });
  }
  return times;
}

const results: { engine: string; writesPerSecond: Record<string, number>; pages: PageTimes[] }[] = [];
const tooSlow: string[] = [];
for (const engine of ENGINES) {
  const opened = await engine.open();
  if (!opened) {
    console.log(`${engine.name}: not found on this machine, left out.`);
    continue;
  }
  try {
    console.log(`${engine.name}: writing ${POSTS} posts, then reading pages of ${PAGE} …`);
    const writesPerSecond = await measureWrites(opened.store, SAVES * engine.effort);
    const pages = await measurePages(opened.store, ROUNDS * engine.effort);
    results.push({ engine: engine.name, writesPerSecond, pages });
    console.table(Object.fromEntries(Object.entries(writesPerSecond).map(([what, rate]) => [what, { "a second": Math.round(rate) }])));
    console.table(
      Object.fromEntries(
        pages.map(({ list, deepPage, firstMillis, deepMillis, ratio }) => [
          list,
          {
            "page 1, ms": firstMillis.toFixed(2),
            "deep page": deepPage,
            "deep, ms": deepMillis.toFixed(2),
            "deep / first": ratio.toFixed(2),
          },
        ]),
      ),
    );
    for (const { list, ratio } of pages) {
      if (engine.depthLimit !== null && ratio > engine.depthLimit) tooSlow.push(`${engine.name}, ${list}: ${ratio.toFixed(2)} × page 1`);
    }
  } finally {
    await opened.close();
  }
}
await mkdir(RESULTS, { recursive: true });
await writeFile(new URL("store.json", RESULTS), `${JSON.stringify(results, null, 2)}\n`);
if (tooSlow.length > 0) {
  console.error(`A deep page is slower than it may be:\n${tooSlow.join("\n")}`);
  process.exitCode = 1;
}
