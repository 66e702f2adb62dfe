import { POST_SORTS } from "@stet/contract";
import { expect } from "vitest";
import { FEATURED } from "#domain/facets";
import type { Post } from "#domain/post";
import { type ContentStore, LIST_SORTS, type PostListQuery, PUBLICATION_SORTS } from "#ports/content-store";
import { at, buildContent, buildLive, buildPost, testId } from "../builders.ts";
import { idsOf, inOrder, listKey, liveKey, rowsOf, walk } from "./reference.ts";
import type { Suite, Tools } from "./suite.ts";

const LONG = "Z".repeat(250);
/**
 * Titles that a language-aware collation, a UTF-16 comparison or a case-sensitive one would each put elsewhere: spaces and
 * punctuation, accents, digits, an astral character beside one of the private use area, and long ones equal in what is kept.
 */
const TITLES = [
  "",
  " b",
  "a",
  "A",
  "á",
  "a b",
  "a-b",
  "ab",
  "a_b",
  "Ab!",
  "10",
  "9",
  "_",
  "~",
  "ß",
  "ss",
  "ö",
  "o",
  "Ω",
  "z",
  "\uE000",
  "😀",
  `${LONG}1`,
  `${LONG}2`,
];
const COUNT = 48;
const TAG = testId("tag", 1);
const OTHER_TAG = testId("tag", 2);

/** Titles come twice; times come in runs of four equal ones, each field in another order. */
function variedPosts(websiteId: Post["websiteId"]): Post[] {
  return Array.from({ length: COUNT }, (_, n) => {
    const content = buildContent(n, {
      title: TITLES[n % TITLES.length]!,
      tagIds: [...(n % 2 ? [TAG] : []), ...(n % 3 ? [OTHER_TAG] : [])],
      featured: n % 4 === 0,
    });
    return buildPost(n, {
      websiteId,
      status: "published",
      working: { ...content, title: TITLES[(n * 7) % TITLES.length]! },
      live: buildLive(content, { publishedAt: at(Math.floor(n / 4) * 1_000), updatedAt: at((n * 5) % 11) }),
      createdAt: at((n * 11) % 12),
      editedAt: at((n * 17) % 10),
    });
  });
}

async function insertAll(store: ContentStore, posts: readonly Post[]): Promise<void> {
  // Not in the order of their ids, so that no list can be right by the order of insertion.
  for (const post of posts.toSorted((a, b) => (a.id.slice(-4) < b.id.slice(-4) ? -1 : 1)))
    await store.posts.insert(post, { visible: true });
}

export async function insertVaried({ store, website }: Tools, change: (post: Post, n: number) => Post = (post) => post): Promise<Post[]> {
  const posts = variedPosts(website).map(change);
  await insertAll(store, posts);
  return posts;
}

const STATUSES = ["draft", "published", "unpublished"] as const;

export function paging({ test, readingOne, limits }: Suite): void {
  const insertOfEveryStatus = (tools: Tools) => insertVaried(tools, (post, n) => ({ ...post, status: STATUSES[n % 3]! }));
  readingOne("posts of every status", insertOfEveryStatus, (onThem) => {
    for (const sort of LIST_SORTS) {
      onThem(`posts by ${sort} come by code point, then id; every limit gives each once`, async ({ store, website, made: posts }) => {
        const expected = inOrder(posts, sort, listKey);
        for (const limit of limits(1, 7, COUNT - 1, COUNT, 100)) {
          const pages = await walk((after) => store.posts.list(website, { statuses: STATUSES, sort, after, limit }));
          expect(idsOf(rowsOf(pages))).toEqual(idsOf(expected));
          expect(pages).toHaveLength(Math.ceil(COUNT / limit));
        }
      });
    }
  });

  // What was taken down, and what was never live, keep or have a moment of publication that means nothing.
  const insertHalfPublished = (tools: Tools) =>
    insertVaried(tools, (post, n) => {
      const status = (["published", "published", "unpublished", "draft"] as const)[n % 4]!;
      return { ...post, status, live: status === "draft" ? null : post.live };
    });
  readingOne("posts of which half are published", insertHalfPublished, (onThem) => {
    for (const sort of PUBLICATION_SORTS) {
      onThem(
        `posts by ${sort} are the published of those asked for, narrowed or not; every limit gives each once`,
        async ({ store, website, made: posts }) => {
          const expected = inOrder(
            posts.filter(({ status }) => status === "published"),
            sort,
            listKey,
          );
          const tagged = expected.filter(({ working }) => working.tagIds.includes(TAG));
          for (const limit of limits(1, 7, 100)) {
            const read = async (query: Partial<PostListQuery>) =>
              idsOf(rowsOf(await walk((after) => store.posts.listHeads(website, { statuses: STATUSES, sort, after, limit, ...query }))));
            expect(await read({})).toEqual(idsOf(expected));
            expect(await read({ ownOrPublished: testId("user", 9) })).toEqual(idsOf(expected));
            expect(await read({ facets: [[TAG]] })).toEqual(idsOf(tagged));
            expect(await read({ statuses: ["unpublished"] })).toEqual([]);
          }
        },
      );
    }
  });

  readingOne("published posts", insertVaried, (onThem) => {
    for (const sort of POST_SORTS) {
      onThem(`live posts by ${sort} come by code point, then id; every limit gives each once`, async ({ store, website, made: posts }) => {
        const expected = inOrder(posts, sort, liveKey);
        for (const limit of limits(1, 7, COUNT - 1, COUNT, 100)) {
          const pages = await walk((after) => store.posts.listLive(website, { sort, after, limit }));
          expect(idsOf(rowsOf(pages))).toEqual(idsOf(expected));
          expect(pages).toHaveLength(Math.ceil(COUNT / limit));
          const pagesOfIds = await walk((after) => store.posts.listLiveIds(website, { sort, after, limit }));
          expect(pagesOfIds).toEqual(pages.map((page) => ({ ...page, rows: idsOf(page.rows) })));
        }
      });

      onThem(
        `narrowed live posts by ${sort} keep the same order, and a post with two of the facets comes once`,
        async ({ store, website, made: posts }) => {
          const either = inOrder(posts, sort, liveKey).filter((post) => post.live!.content.tagIds.length > 0);
          const both = either.filter((post) => post.live!.content.tagIds.length === 2);
          const plainBoth = both.filter((post) => !post.live!.content.featured);
          const featured = either.filter((post) => post.live!.content.featured);
          for (const limit of limits(1, 5, 100)) {
            const read = async (query: { facets: readonly (readonly string[])[]; featured?: boolean }) => {
              const pages = await walk((after) => store.posts.listLive(website, { ...query, sort, after, limit }));
              const pagesOfIds = await walk((after) => store.posts.listLiveIds(website, { ...query, sort, after, limit }));
              expect(pagesOfIds).toEqual(pages.map((page) => ({ ...page, rows: idsOf(page.rows) })));
              return idsOf(rowsOf(pages));
            };
            expect(await read({ facets: [[TAG, OTHER_TAG]] })).toEqual(idsOf(either));
            expect(await read({ facets: [[TAG], [OTHER_TAG]] })).toEqual(idsOf(both));
            expect(await read({ facets: [[TAG], [OTHER_TAG]], featured: false })).toEqual(idsOf(plainBoth));
            expect(await read({ facets: [[FEATURED], [TAG, OTHER_TAG]] })).toEqual(idsOf(featured));
          }
        },
      );
    }

    onThem(
      "a page says where it ends: the sort value and id of its last row, or null at the end",
      async ({ store, website, made: posts }) => {
        for (const sort of POST_SORTS) {
          const page = await store.posts.listLive(website, { sort, after: null, limit: 10 });
          const last = inOrder(posts, sort, liveKey)[9]!;
          expect(page.next).toEqual({ key: liveKey(last, sort), id: last.id });
        }
        for (const sort of [...LIST_SORTS, ...PUBLICATION_SORTS]) {
          const page = await store.posts.list(website, { statuses: ["published"], sort, after: null, limit: 10 });
          const last = inOrder(posts, sort, listKey)[9]!;
          expect(page.next).toEqual({ key: listKey(last, sort), id: last.id });
        }
        expect((await store.posts.listLive(website, { sort: "title", after: null, limit: COUNT })).next).toBeNull();
      },
    );
  });

  test("a page goes on after a row that is gone", async ({ store, website, ...tools }) => {
    const posts = await insertVaried({ store, website, ...tools });
    const order = inOrder(posts, "-publishedAt", liveKey);
    const first = await store.posts.listLive(website, { sort: "-publishedAt", after: null, limit: 10 });
    await store.posts.purge(website, order[9]!.id, 1);
    const second = await store.posts.listLive(website, { sort: "-publishedAt", after: first.next, limit: 10 });
    expect(idsOf(second.rows)).toEqual(idsOf(order.slice(10, 20)));
  });
}
